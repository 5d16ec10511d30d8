// Package compare holds Ambit to what a real kube-apiserver does: it installs policies, sends requests, and compares
// what Ambit says about each with what was observed. Ambit runs as its users run it: it watches the same server, and
// is given an AdmissionReview or a plain manifest.
package compare
