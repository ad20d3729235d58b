// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command scorecardreport prints a scorecard's xunit report for a person to read, one line a test,
// and fails if a test did: operator-sdk writes either form in one run, and a run takes minutes.
package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// report is what is read of the xunit file: a suite a test of the scorecard.
type report struct {
	Suites []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string  `xml:"name,attr"`
			Log     string  `xml:"system-out"`
			Failure *string `xml:"failure"`
			Error   *string `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: scorecardreport XUNIT_FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scorecardreport:", err)
		os.Exit(1)
	}
}

func run(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open the report: %w", err)
	}
	defer file.Close()
	var results report
	if err := xml.NewDecoder(file).Decode(&results); err != nil {
		return fmt.Errorf("%s is no xunit report: %w", path, err)
	}
	passed, failed := results.print(out)
	fmt.Fprintf(out, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return fmt.Errorf("%d of the scorecard's tests failed; %s has their logs", failed, path)
	}
	if passed == 0 {
		return errors.New("no test ran")
	}
	return nil
}

// print counts as well. A suite without a result is a pod that never ran: a failure.
func (r report) print(out io.Writer) (passed, failed int) {
	line := func(ok bool, name, message string) {
		word := "ok  "
		if ok {
			passed++
		} else {
			word = "FAIL"
			failed++
		}
		fmt.Fprintf(out, "%s %s\n", word, name)
		for text := range strings.SplitSeq(strings.TrimSpace(message), "\n") {
			if text != "" {
				fmt.Fprintf(out, "     %s\n", text)
			}
		}
	}
	for _, suite := range r.Suites {
		if len(suite.Cases) == 0 {
			line(false, suite.Name, "the test's pod gave no result")
		}
		for _, test := range suite.Cases {
			switch {
			case test.Failure != nil:
				line(false, suite.Name, *test.Failure+"\n"+test.Log)
			case test.Error != nil:
				line(false, suite.Name, *test.Error+"\n"+test.Log)
			default:
				line(true, suite.Name, "")
			}
		}
	}
	return passed, failed
}
