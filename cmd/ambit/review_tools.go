package main

import (
	"io"

	"github.com/ambit-k8s/ambit/scope/review"
)

// reviewLevels are the verdicts as SARIF calls them; those that are left out are no results.
var reviewLevels = map[review.Verdict]string{review.VolumeOnly: "note", review.Undecided: "warning", review.CoverageChange: "error"}

// reviewRules are what SARIF takes for rules.
var reviewRules = []sarifRule{
	{string(review.VolumeOnly), sarifText{"Kyverno is called for other requests."}, sarifText{"The policy is evaluated for the same requests as before."}, sarifText{"Nothing has to be done."}},
	{string(review.Undecided), sarifText{"Whether the policy sees the same requests is not proven."}, sarifText{"No request was found that tells, and there may be one."}, sarifText{"Give objects with -f, or look at the layers that changed."}},
	{string(review.CoverageChange), sarifText{"The policy sees other requests than before."}, sarifText{"What a policy does not see looks as if it were in order."}, sarifText{"See whether the requests that are lost or gained are meant."}},
}

// writeReviewSARIF writes a review for tools that show it beside the code.
func writeReviewSARIF(w io.Writer, r *review.Review) error {
	run := sarifRun{
		Tool:    sarifTool{Driver: sarifDriver{Name: "ambit", Version: ownVersion(), Rules: reviewRules}},
		Results: []sarifResult{},
	}
	for _, c := range r.Changes {
		level, told := reviewLevels[c.Verdict]
		if !told {
			continue
		}
		index := 0
		for i, rule := range reviewRules {
			if rule.ID == string(c.Verdict) {
				index = i
			}
		}
		name := c.Kind + "/" + junitName(c.Namespace, c.Name, c.Entry)
		location := sarifLocation{LogicalLocations: []sarifLogical{{FullyQualifiedName: name, Kind: "member"}}}
		if m := originPattern.FindStringSubmatch(c.Policy.Origin); m != nil {
			location.PhysicalLocation = &sarifPhysical{ArtifactLocation: sarifArtifact{uriOf(m[1])}, Region: &sarifRegion{number(m[3])}}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: string(c.Verdict), RuleIndex: index, Level: level, Message: sarifText{c.Policy.Title() + ": " + c.Why},
			Locations: []sarifLocation{location}, PartialFingerprints: map[string]string{"policy/v1": name},
		})
	}
	return encodeJSON(w, newSARIF(run))
}

// writeReviewJUnit writes a review for tools that show the results of tests: every policy that
// changed is a test case, and one that changed its coverage, or may have, a failure.
func writeReviewJUnit(w io.Writer, r *review.Review) error {
	suite := junitSuite{Name: "ambit review"}
	for _, c := range r.Changes {
		one := junitCase{Class: c.Kind, Name: junitName(c.Namespace, c.Name, c.Entry)}
		if c.Verdict.AtLeast(review.Undecided) {
			failure := junitFailure{Type: string(c.Verdict), Message: c.Why}
			for _, witness := range c.Witnesses {
				failure.Text += witnessWords(witness) + "\n"
			}
			one.Failures = []junitFailure{failure}
		}
		suite.add(one)
	}
	return writeSuite(w, suite)
}
