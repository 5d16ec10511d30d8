package rule

import "k8s.io/apimachinery/pkg/api/equality"

// Within reports whether it is proven that the layer matches nothing that another one does not match, over all resources
// that there could be; false says nothing. What is so for the resources that rules name is so for equivalent ones, too,
// because these are asked about by the same rules. Exclude rules and the match policy have to be the same.
func (l *Rules) Within(o *Rules) bool {
	switch {
	case l.Broken != nil || o.Broken != nil, l.EmptyMatches != o.EmptyMatches, l.GeneratedNames != o.GeneratedNames,
		!equality.Semantic.DeepEqual(l.MatchPolicy, o.MatchPolicy), !equality.Semantic.DeepEqual(l.Exclude, o.Exclude):
		return false
	case l.EmptyMatches && len(o.Rules) == 0:
		return true
	case l.EmptyMatches && len(l.Rules) == 0:
		return false
	}
	covers, _ := CoversAll(o.Rules, l.Rules)
	return covers
}
