// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// name is one constant of api/v1/names.go.
type name struct {
	value string
	// meaning is its comment without the constant's own name.
	meaning string
}

// section is one kind of names, told apart by the prefix of their constants.
type section struct {
	prefix, title, intro string
	// link makes a value's address from the page; empty for none.
	link  string
	names []name
}

// sections are the kinds of names in the order of the page.
func sections() []section {
	return []section{
		{prefix: "Condition", title: "Conditions", intro: "Wait for them by `kubectl wait --for=condition=Ready markdownview/NAME`."},
		{prefix: "Reason", title: "Reasons", intro: "Each condition names one of these; the link says what to do about it.", link: "../runbooks/%s.md"},
		{prefix: "Phase", title: "Phases", intro: "Values of `status.phase`, the column STATUS."},
		{prefix: "Event", title: "Events", intro: "Reasons of the events that `kubectl describe` shows."},
		{prefix: "Plan", title: "Reasons of plans", intro: "Why a release was changed: in the manager's log, and in the metric `markdownview_releases_total`."},
		{prefix: "Annotation", title: "Annotations", intro: "People set those on a MarkdownView or on an object in its way, the operator those on a record."},
	}
}

// readNames reads the exported string constants with their comments.
func readNames(file string) ([]section, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("read the names: %w", err)
	}
	groups := sections()
	for _, declaration := range parsed.Decls {
		block, ok := declaration.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		meaning := ""
		for _, spec := range block.Specs {
			constant, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			// A comment may speak of several constants that follow each other.
			if constant.Doc != nil {
				meaning = strings.Join(strings.Fields(constant.Doc.Text()), " ")
			}
			add(groups, constant, meaning)
		}
	}
	return groups, nil
}

func add(groups []section, constant *ast.ValueSpec, meaning string) {
	for i, identifier := range constant.Names {
		literal, ok := constant.Values[i].(*ast.BasicLit)
		if !ok {
			continue
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil {
			continue
		}
		for g := range groups {
			if strings.HasPrefix(identifier.Name, groups[g].prefix) {
				groups[g].names = append(groups[g].names, name{value, explain(identifier.Name, meaning)})
			}
		}
	}
}

// several is the beginning of a comment that speaks of several constants.
var several = regexp.MustCompile(`^[A-Z]\w+(, [A-Z]\w+)* and [A-Z]\w+ are `)

// explain drops the constant's name from the beginning of its comment.
func explain(identifier, comment string) string {
	rest, found := strings.CutPrefix(comment, identifier)
	if together := several.FindString(comment); together != "" {
		rest, found = comment[len(together):], true
	}
	if !found {
		return comment
	}
	rest = strings.TrimLeft(rest, ":, ")
	for _, verb := range []string{"is ", "tells that "} {
		rest = strings.TrimPrefix(rest, verb)
	}
	if first, _, _ := strings.Cut(rest, " "); first == "mdBook" || strings.Contains(first, ".") {
		return rest // a name, which is written so
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// namesPage lists every name that a client may see.
func namesPage(groups []section) string {
	var page strings.Builder
	page.WriteString("# Names\n\n" + generated + "Names are part of the API: they do not change within a version.\n")
	for _, group := range groups {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| name | meaning |\n|---|---|\n", group.title, group.intro)
		for _, n := range group.names {
			label := "`" + n.value + "`"
			if group.link != "" {
				label = fmt.Sprintf("[%s](%s)", label, fmt.Sprintf(group.link, n.value))
			}
			fmt.Fprintf(&page, "| %s | %s |\n", label, strings.ReplaceAll(n.meaning, "|", `\|`))
		}
	}
	return page.String()
}
