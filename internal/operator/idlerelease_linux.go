// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// releaseFilePages gives the kernel back the pages of the program's own file. Package initialisation
// and the first pass touch most of a binary of this size, and pages that are mapped stay resident for
// good. What is in use comes back from the page cache, at a minor fault a page.
//
// Only mappings of the program's file that hold nothing written are given back.
func releaseFilePages() error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("path of the program: %w", err)
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return fmt.Errorf("mappings of the program: %w", err)
	}
	defer file.Close()
	var current mapping
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if next, ok := parseMapping(line); ok {
			current = next
			continue
		}
		// Anonymous pages of a file's mapping are private copies that something wrote: they must stay.
		if strings.HasPrefix(line, "Anonymous:") && strings.Fields(line)[1] == "0" && current.unwritten(program) {
			if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, current.start, current.end-current.start, syscall.MADV_DONTNEED); errno != 0 {
				return fmt.Errorf("give back pages of %s: %w", program, errno)
			}
		}
	}
	return nil
}

// mapping is one mapping of /proc/self/smaps.
type mapping struct {
	start, end  uintptr
	permissions string
	path        string
}

// parseMapping reads a mapping's first line, "START-END PERMISSIONS OFFSET DEVICE INODE PATH".
func parseMapping(line string) (mapping, bool) {
	var m mapping
	var offset, device, inode string
	n, _ := fmt.Sscanf(line, "%x-%x %s %s %s %s %s", &m.start, &m.end, &m.permissions, &offset, &device, &inode, &m.path)
	const all = 7
	return m, n == all
}

// unwritten tells whether it maps the program's file and cannot be written.
func (m mapping) unwritten(program string) bool {
	return m.path == program && strings.HasSuffix(m.permissions, "p") && !strings.Contains(m.permissions, "w")
}
