// Package coverage says what each policy reaches among the objects that exist.
//
// A Store holds the population: of each object its resource, namespace, name and labels,
// and of its content what the policies' CEL reads. A Population is the store at one moment.
// An Evaluator asks the layers of every policy about every object of a population and
// combines their steps exactly as scope.Set.Explain does; it asks a layer once for all
// objects that agree in what the layer reads (scope.Reads), and remembers the answers for
// the next population. A Result holds what came out, and answers what the pages ask.
//
// The package knows layers and no kinds of policy. Objects lie sorted by resource and
// namespace in blocks, so that a policy which does not look at objects is decided block by
// block.
package coverage
