// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package status

import (
	"strings"
	"unicode"
)

// printable returns a message as an administrator's terminal may show it. Messages quote what others
// wrote: a container's last words, a registry's answer, the text of a book. An escape sequence in them
// would run in the terminal, and a bidirectional or zero-width character would hide what they say. So
// each character that is neither printable nor a line break becomes U+FFFD; a tab becomes a space.
func printable(message string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', unicode.IsPrint(r):
			return r
		case r == '\t', unicode.Is(unicode.Zs, r):
			return ' '
		case r == '\r':
			return -1
		}
		return unicode.ReplacementChar
	}, message)
}
