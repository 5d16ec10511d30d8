package compare

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// smaller leaves out policies as long as the rest still differ, and returns few that do.
func smaller(policies []*unstructured.Unstructured, differ func([]*unstructured.Unstructured) bool) []*unstructured.Unstructured {
	for size := max(1, len(policies)/2); ; size /= 2 {
		for at := 0; at < len(policies); {
			rest := slices.Concat(policies[:at], policies[min(at+size, len(policies)):])
			if len(rest) > 0 && differ(rest) {
				policies = rest
			} else {
				at += size
			}
		}
		if size <= 1 {
			return policies
		}
	}
}
