package main

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// The types of this file are the part of SARIF 2.1.0 that tools which show findings beside
// code read (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	FullDescription  sarifText `json:"fullDescription"`
	Help             sarifText `json:"help"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	// PartialFingerprints tell a finding again after lines have moved.
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
	LogicalLocations []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// levels are the severities as SARIF calls them.
var levels = map[hazard.Severity]string{hazard.Error: "error", hazard.Warning: "warning", hazard.Info: "note"}

// writeSARIF writes findings for tools that show them beside the code.
func writeSARIF(w io.Writer, r lintReport) error {
	rules := rulesOf(r.findings)
	run := sarifRun{
		Tool:    sarifTool{Driver: sarifDriver{Name: "ambit", Version: ownVersion(), Rules: []sarifRule{}}},
		Results: []sarifResult{},
	}
	for _, rule := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.Name, ShortDescription: sarifText{rule.Summary}, FullDescription: sarifText{rule.Why}, Help: sarifText{rule.Fix},
		})
	}
	for _, f := range r.findings {
		name := memberName(f)
		location := sarifLocation{LogicalLocations: []sarifLogical{{FullyQualifiedName: name, Kind: "member"}}}
		if at, ok := r.places.of(f); ok {
			location.PhysicalLocation = &sarifPhysical{ArtifactLocation: sarifArtifact{uriOf(at.file)}}
			if at.line > 0 {
				location.PhysicalLocation.Region = &sarifRegion{at.line}
			}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Rule, RuleIndex: slices.IndexFunc(rules, func(rule hazard.Rule) bool { return rule.Name == f.Rule }),
			Level: levels[f.Severity], Message: sarifText{strings.TrimSpace(f.Message+" "+concerns(f)) + " " + f.Fix},
			Locations: []sarifLocation{location}, PartialFingerprints: map[string]string{"place/v1": f.Rule + "/" + name},
		})
	}
	return encodeJSON(w, newSARIF(run))
}

// newSARIF is a document of one run.
func newSARIF(run sarifRun) sarifLog {
	return sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	}
}

// memberName names the place of a finding without a file and a line.
func memberName(f hazard.Finding) string {
	steps := []string{f.Kind, f.Namespace, f.Name, f.Entry, f.Field}
	return strings.Join(slices.DeleteFunc(steps, func(step string) bool { return step == "" }), "/")
}

// uriOf writes the path of a file as a reference, relative as it was given.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}
