package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

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
	suite := junitSuite{Name: "ambit lint"}
	for _, p := range r.policies {
		c := junitCase{Class: p.Kind, Name: junitName(p.Namespace, p.Name, p.Entry)}
		for _, f := range r.findings {
			if f.Concerns(p) {
				c.Failures = append(c.Failures, r.junitFailure(f))
			}
		}
		suite.add(c)
	}
	for _, f := range r.findings {
		if f.Policy == nil {
			suite.add(junitCase{
				Class: f.Kind, Name: junitName(f.Namespace, f.Name, f.Entry), Failures: []junitFailure{r.junitFailure(f)},
			})
		}
	}
	return writeSuite(w, suite)
}

// writeSuite writes the results of tests as a document.
func writeSuite(w io.Writer, suite junitSuite) error {
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

// add adds a case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if len(c.Failures) > 0 {
		s.Failures++
	}
}

// junitName is how a case is called within those of its kind.
func junitName(namespace, name, entry string) string {
	return strings.Trim(namespace+"/"+name+"/"+entry, "/")
}

func (r lintReport) junitFailure(f hazard.Finding) junitFailure {
	text := f.Field
	if at, ok := r.places.of(f); ok {
		text = at.String() + "  " + f.Field
	}
	return junitFailure{
		Type: f.Rule, Message: f.Message,
		Text: fmt.Sprintf("%s: %s\n%s\nTo do: %s", f.Severity, text, strings.TrimSpace(f.Message+" "+concerns(f)), f.Fix),
	}
}
