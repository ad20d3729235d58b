// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// TestSchemaOnlyGains: what the first version's schema accepted is accepted for ever, and means the same. OLM
// refuses an upgrade whose CRD an existing object does not fit; clients written for the first version
// find every field that they knew. testdata/first-crd.yaml is never written again.
func TestSchemaOnlyGains(t *testing.T) {
	first := read[apiextensionsv1.CustomResourceDefinition](t, "testdata/first-crd.yaml")
	now := crd(t)
	if first.Name != now.Name || first.Spec.Scope != now.Spec.Scope || first.Spec.Names.Kind != now.Spec.Names.Kind {
		t.Fatalf("the CRD was %s (%s, %s)", first.Name, first.Spec.Names.Kind, first.Spec.Scope)
	}
	for _, was := range first.Spec.Versions {
		i := slices.IndexFunc(now.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == was.Name })
		if i < 0 || was.Served && !now.Spec.Versions[i].Served {
			t.Errorf("version %s is no longer served", was.Name)
			continue
		}
		for _, problem := range narrowed("", *was.Schema.OpenAPIV3Schema, *now.Spec.Versions[i].Schema.OpenAPIV3Schema) {
			t.Errorf("%s%s", was.Name, problem)
		}
	}
}

// narrowed lists where a schema accepts less than it did, or no longer has a field.
func narrowed(path string, was, now apiextensionsv1.JSONSchemaProps) []string {
	var problems []string
	report := func(format string, args ...any) { problems = append(problems, path+": "+fmt.Sprintf(format, args...)) }
	if was.Type != now.Type {
		report("the type was %q, is %q", was.Type, now.Type)
	}
	for bound, tighter := range tightened(was, now) {
		if tighter {
			report("%s is tighter than in the first version", bound)
		}
	}
	for name, old := range was.Properties {
		field, found := now.Properties[name]
		if !found {
			report("the field %s is gone", name)
			continue
		}
		problems = append(problems, narrowed(path+"."+name, old, field)...)
	}
	if was.Items != nil && was.Items.Schema != nil && now.Items != nil && now.Items.Schema != nil {
		problems = append(problems, narrowed(path+"[]", *was.Items.Schema, *now.Items.Schema)...)
	}
	if was.AdditionalProperties != nil && was.AdditionalProperties.Schema != nil &&
		now.AdditionalProperties != nil && now.AdditionalProperties.Schema != nil {
		problems = append(problems, narrowed(path+".*", *was.AdditionalProperties.Schema, *now.AdditionalProperties.Schema)...)
	}
	slices.Sort(problems)
	return problems
}

// tightened tells of each kind of bound whether it refuses what it did not, or means something else. A new rule
// may only stand in a new field.
func tightened(was, now apiextensionsv1.JSONSchemaProps) map[string]bool {
	return map[string]bool{
		"required":      !subset(now.Required, was.Required),
		"enum":          len(now.Enum) > 0 && (len(was.Enum) == 0 || !subset(texts(was.Enum), texts(now.Enum))),
		"pattern":       now.Pattern != "" && now.Pattern != was.Pattern,
		"format":        now.Format != "" && now.Format != was.Format,
		"nullable":      was.Nullable && !now.Nullable,
		"a rule":        !subset(rules(now), rules(was)),
		"maxLength":     lower(was.MaxLength, now.MaxLength),
		"maxItems":      lower(was.MaxItems, now.MaxItems),
		"maxProperties": lower(was.MaxProperties, now.MaxProperties),
		"maximum":       lower(was.Maximum, now.Maximum) || !was.ExclusiveMaximum && now.ExclusiveMaximum,
		"minLength":     higher(was.MinLength, now.MinLength),
		"minItems":      higher(was.MinItems, now.MinItems),
		"minProperties": higher(was.MinProperties, now.MinProperties),
		"minimum":       higher(was.Minimum, now.Minimum) || !was.ExclusiveMinimum && now.ExclusiveMinimum,
		"default":       was.Default != nil && (now.Default == nil || string(was.Default.Raw) != string(now.Default.Raw)),
		"list type":     !reflect.DeepEqual(was.XListType, now.XListType) || !slices.Equal(was.XListMapKeys, now.XListMapKeys),
		"pruning":       was.XPreserveUnknownFields != nil && now.XPreserveUnknownFields == nil,
		"combination":   combined(now) && !combined(was),
	}
}

func lower[N int64 | float64](was, now *N) bool { return now != nil && (was == nil || *now < *was) }

func higher[N int64 | float64](was, now *N) bool { return now != nil && (was == nil || *now > *was) }

func combined(schema apiextensionsv1.JSONSchemaProps) bool {
	return len(schema.AllOf)+len(schema.AnyOf)+len(schema.OneOf) > 0 || schema.Not != nil
}

func subset(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(item string) bool { return !slices.Contains(whole, item) })
}

func texts(values []apiextensionsv1.JSON) []string {
	var found []string
	for _, value := range values {
		found = append(found, string(value.Raw))
	}
	return found
}

func rules(schema apiextensionsv1.JSONSchemaProps) []string {
	var found []string
	for _, rule := range schema.XValidations {
		found = append(found, rule.Rule)
	}
	return found
}

func TestNarrowed(t *testing.T) {
	const was = `{type: object, required: [a], properties: {a: {type: string, maxLength: 9, enum: [x, y]}, b: {type: array, items: {type: string}}}}`
	cases := map[string]struct{ now, want string }{
		"NewOptionalField": {now: strings.Replace(was, "b:", "c: {type: string, minLength: 3}, b:", 1)},
		"WiderBounds":      {now: strings.NewReplacer("maxLength: 9", "maxLength: 10", "[x, y]", "[x, y, z]", "required: [a], ", "").Replace(was)},
		"NewRequiredField": {now: strings.Replace(was, "[a]", "[a, b]", 1), want: ": required is tighter"},
		"FieldGone":        {now: strings.Replace(was, "b:", "c:", 1), want: ": the field b is gone"},
		"OtherType":        {now: strings.Replace(was, "{type: string}", "{type: integer}", 1), want: `.b[]: the type was "string", is "integer"`},
		"LowerMaximum":     {now: strings.Replace(was, "maxLength: 9", "maxLength: 8", 1), want: ".a: maxLength is tighter"},
		"NewMinimum":       {now: strings.Replace(was, "maxLength: 9", "maxLength: 9, minLength: 1", 1), want: ".a: minLength is tighter"},
		"NewPattern":       {now: strings.Replace(was, "maxLength: 9", "maxLength: 9, pattern: x", 1), want: ".a: pattern is tighter"},
		"ValueGone":        {now: strings.Replace(was, "[x, y]", "[x]", 1), want: ".a: enum is tighter"},
		"NewRule": {
			now:  strings.Replace(was, "maxLength: 9", "maxLength: 9, x-kubernetes-validations: [{rule: self != 'x'}]", 1),
			want: ".a: a rule is tighter",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var before, after apiextensionsv1.JSONSchemaProps
			for text, schema := range map[string]*apiextensionsv1.JSONSchemaProps{was: &before, c.now: &after} {
				if err := yaml.UnmarshalStrict([]byte(text), schema); err != nil {
					t.Fatal(err)
				}
			}
			got := narrowed("", before, after)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
				t.Errorf("problems %q, want one that begins with %q", got, c.want)
			}
		})
	}
}
