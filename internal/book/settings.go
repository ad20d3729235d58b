// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// settings are the parts of book.toml that decide which files mdBook reads and writes and which
// programs it starts. docs/src/adr says which values are refused, and why.
type settings struct {
	Book struct {
		Title, Description, Language string
		Authors                      []string
		Src                          *string
	}
	Build struct {
		BuildDir *string `toml:"build-dir"`
	}
	Output struct {
		HTML htmlSettings `toml:"html"`
	}
	Preprocessor map[string]struct{ Command *string }
}

// htmlSettings are the parts of [output.html] that name files.
type htmlSettings struct {
	Theme         *string
	AdditionalCSS []string          `toml:"additional-css"`
	AdditionalJS  []string          `toml:"additional-js"`
	Input404      *string           `toml:"input-404"`
	Redirect      map[string]string `toml:"redirect"`
}

// knownSettings are the keys that mdBook 0.5 takes; it refuses a book.toml with any other.
var knownSettings = map[string][]string{
	"":      {"book", "build", "rust", "output", "preprocessor"},
	"book":  {"title", "authors", "description", "src", "language", "text-direction"},
	"build": {"build-dir", "create-missing", "use-default-preprocessors", "extra-watch-dirs"},
	"rust":  {"edition"},
}

// preprocessorCommand is a program of the viewer image and nothing else: no folder, no argument.
var preprocessorCommand = regexp.MustCompile(`^mdbook-[A-Za-z0-9_-]+$`)

// maxKeyBytes bounds the dotted keys whose lines are known; a finding about a longer one names its table's.
const maxKeyBytes = 1024

const defaultNotFound = sourceDir + "/404.md"

// checkSettings judges book.toml, where there is one.
func (in *inspection) checkSettings() {
	in.notFound = defaultNotFound
	source, ok := in.markdowns[viewv1.SettingsPath]
	source = strings.TrimPrefix(source, "\uFEFF") // mdBook skips a byte order mark too.
	if !ok || !in.checkSettingsSize(source) {
		return
	}
	var all map[string]any
	if err := toml.Unmarshal([]byte(source), &all); err != nil {
		in.failSyntax(err)
		return
	}
	parsed, err := decodeExact(source, all)
	if err != nil {
		in.failType(err)
		return
	}
	at := settingsLines(source, &in.work)
	in.checkPlaces(parsed, at)
	in.checkRenderers(all, at)
	in.checkPrograms(parsed, at)
	in.checkHTML(&parsed.Output.HTML, at)
	in.checkKnown(all, at)
}

// decodeExact decodes a document, whose tables are in all, by the exact names of its keys, as mdBook does.
// The library takes "Command" for "command" too, and of the two the one that comes last, so a second key
// could hide the one that mdBook reads. An error has the place in the source where that can be known.
func decodeExact(source string, all map[string]any) (*settings, error) {
	exact, err := toml.Marshal(withExactKeys(all))
	if err != nil {
		return nil, err
	}
	parsed := &settings{}
	if err := toml.Unmarshal(exact, parsed); err != nil {
		return nil, cmp.Or(toml.Unmarshal([]byte(source), &settings{}), err)
	}
	return parsed, nil
}

// withExactKeys returns the tables that decide something here, without the keys that mdBook does not take
// for those that it knows. A name that an author chose (a preprocessor's, a redirect's) is no such key.
func withExactKeys(all map[string]any) map[string]any {
	out := map[string]any{}
	for _, table := range []string{"book", "build"} {
		if content, ok := all[table]; ok {
			out[table] = exactKeys(content, "title", "description", "language", "authors", "src", "build-dir")
		}
	}
	if programs, ok := all["preprocessor"].(map[string]any); ok {
		exact := map[string]any{}
		for name, content := range programs {
			exact[name] = exactKeys(content, "command")
		}
		out["preprocessor"] = exact
	} else if all["preprocessor"] != nil {
		out["preprocessor"] = all["preprocessor"]
	}
	if renderers, ok := all["output"].(map[string]any); !ok {
		if all["output"] != nil {
			out["output"] = all["output"]
		}
	} else if html, ok := renderers["html"]; ok {
		out["output"] = map[string]any{"html": exactKeys(html, "theme", "additional-css", "additional-js", "input-404", "redirect")}
	}
	return out
}

// exactKeys returns a table's keys of these names; what is no table is returned as it is, for its type's sake.
func exactKeys(content any, names ...string) any {
	table, ok := content.(map[string]any)
	if !ok {
		return content
	}
	out := map[string]any{}
	for _, name := range names {
		if value, ok := table[name]; ok {
			out[name] = value
		}
	}
	return out
}

func (in *inspection) failSyntax(err error) {
	where := Finding{Path: viewv1.SettingsPath}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		where.Line, where.Column = decode.Position()
	}
	in.failf(where, "%s: mdBook cannot read its settings, mend the TOML", strings.TrimPrefix(err.Error(), "toml: "))
}

func (in *inspection) failType(err error) {
	where, key := Finding{Path: viewv1.SettingsPath}, "of this line"
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		where.Line, where.Column = decode.Position()
		if len(decode.Key()) > 0 {
			key = strings.Join(decode.Key(), ".")
		}
	}
	in.failf(where, "the setting %s has a value of the wrong type: mdBook cannot read its settings", key)
}

// checkPlaces: the operator decides where the sources lie and where the site goes.
func (in *inspection) checkPlaces(s *settings, at keyLines) {
	if s.Book.Src != nil && path.Clean(*s.Book.Src) != sourceDir {
		in.failf(at.of("book", "src"), "src is %q, but the operator puts the files of spec.markdowns into %q: remove the line", *s.Book.Src, sourceDir)
	}
	if s.Build.BuildDir != nil {
		in.warnf(at.of("build", "build-dir"), "build-dir has no effect: the operator decides where the site is built")
	}
}

// checkRenderers: another renderer changes where mdBook puts the site.
func (in *inspection) checkRenderers(all map[string]any, at keyLines) {
	renderers, _ := all["output"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(renderers)) {
		if name != "html" {
			in.failf(at.of("output", name),
				"[output.%s] adds a renderer, with which mdBook puts the site elsewhere: only [output.html] can be served, remove this table", name)
		}
	}
}

// checkPrograms: a command may be any program with any argument; only programs that are made for mdBook
// may run, by their bare name.
func (in *inspection) checkPrograms(s *settings, at keyLines) {
	for _, name := range slices.Sorted(maps.Keys(s.Preprocessor)) {
		command := "mdbook-" + name
		if c := s.Preprocessor[name].Command; c != nil {
			command = *c
		}
		builtin := (name == "links" || name == "index") && s.Preprocessor[name].Command == nil
		if !builtin && !preprocessorCommand.MatchString(command) {
			in.failf(at.of("preprocessor", name),
				"command %q is refused: it must be the bare name of a program mdbook-NAME of the viewer image, without folder or arguments", command)
		}
	}
}

// checkHTML: every file that the renderer reads must be one of the book's.
func (in *inspection) checkHTML(html *htmlSettings, at keyLines) {
	if html.Theme != nil {
		in.mustBe(folder, "", *html.Theme, at.of("output", "html", "theme"))
	}
	for _, css := range html.AdditionalCSS {
		in.mustBe(found, "", css, at.of("output", "html", "additional-css"))
	}
	for _, js := range html.AdditionalJS {
		in.mustBe(found, "", js, at.of("output", "html", "additional-js"))
	}
	if html.Input404 != nil && *html.Input404 != "" {
		in.notFound, _ = in.tree.resolve(sourceDir, *html.Input404)
		in.mustBe(found, sourceDir, *html.Input404, at.of("output", "html", "input-404"))
	}
	for _, from := range slices.Sorted(maps.Keys(html.Redirect)) {
		if slices.Contains(strings.Split(from, "/"), "..") {
			in.failf(at.of("output", "html", "redirect", from), "the redirect %q leaves the site: use a path below it", from)
		}
	}
}

// mustBe refuses a path of the settings that does not lead to a file (found) or a folder of the book.
func (in *inspection) mustBe(want whereabouts, dir, name string, at Finding) {
	kind := "file"
	if want == folder {
		kind = "folder"
	}
	target, got := in.tree.resolve(dir, name)
	switch got {
	case want:
	case absolute, outside:
		in.failf(at, "%q leaves the book: only what spec.markdowns and spec.assets hold can be used, and it lies in %q", name, sourceDir)
	default:
		hint := ""
		if _, there := in.tree.resolve(sourceDir, name); dir == "" && there == want {
			hint = " (the book's files lie in " + sourceDir + ": write " + path.Join(sourceDir, name) + ")"
		}
		in.failf(at, "the book has no %s %s%s: add it to spec.markdowns or spec.assets", kind, printable(target), hint)
	}
}

// checkKnown only warns: which keys are known depends on the mdBook in the viewer image, which has
// the last word.
func (in *inspection) checkKnown(all map[string]any, at keyLines) {
	for _, table := range slices.Sorted(maps.Keys(knownSettings)) {
		content, prefix, around := all, "", []string{}
		if table != "" {
			content, _ = all[table].(map[string]any)
			prefix, around = table+".", []string{table}
		}
		for _, key := range slices.Sorted(maps.Keys(content)) {
			if !slices.Contains(knownSettings[table], key) {
				in.warnf(at.of(append(around, key)...), "mdBook 0.5 does not know the setting %s%s and refuses to build with it: remove it", prefix, key)
			}
		}
	}
}

// keyLines maps a dotted key to the line where it is set.
type keyLines map[string]int

// of is the place of a key, or of the nearest table around it. The last of its parts may be a name that an
// author chose, with any number of dots in it.
func (l keyLines) of(parts ...string) Finding {
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if line, ok := l[strings.Join(parts, ".")]; ok {
			return Finding{Path: viewv1.SettingsPath, Line: line}
		}
	}
	return Finding{Path: viewv1.SettingsPath}
}

// settingsLines finds the line of every key and table of a document that parses.
func settingsLines(source string, w *work) keyLines {
	lines, place := keyLines{}, &place{text: source, work: w}
	parser := unstable.Parser{}
	parser.Reset([]byte(source))
	table := ""
	for parser.NextExpression() {
		expression := parser.Expression()
		key, offset := dotted(expression.Key())
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = key + "."
		case unstable.KeyValue:
			if len(table)+len(key) > maxKeyBytes {
				continue // a long table would be copied for each of its keys
			}
			key = table + key
		default:
			continue
		}
		w.look(len(key))
		if _, ok := lines[key]; !ok {
			lines[key], _ = place.of(offset)
		}
	}
	return lines
}

// dotted joins the parts of a key, and tells where the first of them begins.
func dotted(parts unstable.Iterator) (key string, offset int) {
	var names []string
	for parts.Next() {
		node := parts.Node()
		if len(names) == 0 {
			offset = int(node.Raw.Offset)
		}
		names = append(names, string(node.Data))
	}
	return strings.Join(names, "."), offset
}
