// Package review says what a change of policies does to their coverage: which requests they do
// not see any more, and which they see now.
//
// A difference is only said with a request that shows it, and that request was asked of both
// sides as any other would be. That there is none is only said where it is proven, layer by
// layer, by the algebra of rules and selectors and by the texts of conditions. What is neither
// shown nor proven is undecided.
//
// The package knows layers and no kinds of policy.
package review
