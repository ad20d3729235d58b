// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// tools are the programs of any Unix that the scripts use and that change nothing outside a file's folder.
var tools = []string{
	"awk", "bash", "cat", "cksum", "cut", "dirname", "env", "grep", "head", "ln", "mkdir", "mktemp", "readlink", "rm", "sed", "sha256sum",
	"sleep", "sort", "tail", "tr", "wc",
}

// stage is a machine that exists for one test: its PATH holds the tools and the stand-ins, nothing else.
type stage struct {
	*testing.T

	home, bin string
	env       map[string]string
}

// newStage makes a machine with these programs; each is a text for bash.
func newStage(t *testing.T, programs map[string]string) *stage {
	t.Helper()
	for _, pattern := range []string{"../../hack/*.sh", "../../hack/tools/install", "../../hack/tools/mdbook/*"} {
		track(t, pattern)
	}
	s := &stage{T: t, home: t.TempDir(), bin: t.TempDir()}
	s.env = map[string]string{
		"PATH": s.bin, "HOME": s.home, "LOCALBIN": filepath.Join(s.home, "bin"), "MARKDOWN_VIEW_CACHE": filepath.Join(s.home, "cache"),
		"CALLS": filepath.Join(s.home, "calls"), "OS_RELEASE": filepath.Join(s.home, "os-release"),
	}
	for _, name := range tools {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(program, filepath.Join(s.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range programs {
		s.write(filepath.Join(s.bin, name), "#!"+filepath.Join(s.bin, "bash")+"\n"+text+"\n")
	}
	s.write(s.env["OS_RELEASE"], "ID=debian\n")
	return s
}

// track opens files that other programs read for the test: `go test` takes a result from its cache as long as
// the files are the same that the test itself has opened.
func track(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is %s (%v)", pattern, err)
	}
	for _, file := range files {
		if _, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *stage) write(file, text string) {
	s.Helper()
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		s.Fatal(err)
	}
}

// run runs a script of the project and returns its exit status and what it prints.
func (s *stage) run(script string, args ...string) (status int, stdout, stderr string) {
	s.Helper()
	command := exec.CommandContext(s.Context(), filepath.Join(s.bin, "bash"), append([]string{filepath.Join("..", "..", "hack", script)}, args...)...)
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		command.Env = append(command.Env, name+"="+s.env[name])
	}
	var out, diagnostics bytes.Buffer
	command.Stdout, command.Stderr = &out, &diagnostics
	var exit *exec.ExitError
	if err := command.Run(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		s.Fatal(err)
	}
	return status, out.String(), diagnostics.String()
}
