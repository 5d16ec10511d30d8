// Package oracle asks a running kube-apiserver and observes what it really does with its admission policies: which
// webhooks it calls, which admission policies it evaluates, and whom it refuses in whose name. It knows nothing about
// Ambit.
package oracle
