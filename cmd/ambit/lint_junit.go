package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// In JUnit's words every policy is a test case, and every finding in it a failure.

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class    string         `xml:"classname,attr"`
	Name     string         `xml:"name,attr"`
	Failures []junitFailure `xml:"failure"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes findings for tools that show the results of tests.
func writeJUnit(w io.Writer, r lintReport) error {
	byPolicy := map[*scope.Policy][]hazard.Finding{}
	for _, f := range r.findings {
		byPolicy[f.Policy] = append(byPolicy[f.Policy], f)
	}
	suite := junitSuite{Name: "ambit lint", Tests: len(r.policies)}
	for _, p := range r.policies {
		c := junitCase{Class: p.Kind, Name: p.Name}
		if p.Entry != "" {
			c.Name += "/" + p.Entry
		}
		for _, f := range byPolicy[p] {
			text := f.Field
			if at, ok := r.places.of(f); ok {
				text = at.String() + "  " + f.Field
			}
			c.Failures = append(c.Failures, junitFailure{
				Type: f.Rule, Message: f.Message,
				Text: fmt.Sprintf("%s: %s\n%s\nTo do: %s", f.Severity, text, strings.TrimSpace(f.Message+" "+concerns(f)), f.Fix),
			})
		}
		if len(c.Failures) > 0 {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitSuites{Tests: suite.Tests, Failures: suite.Failures, Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
