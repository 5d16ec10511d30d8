// Package webhooks predicts the webhook configurations that Kyverno's controller writes for its policies: which
// policies share an entry, under which name, path and selectors, and which of them no request will ever reach.
//
// It follows pkg/controllers/webhook of github.com/kyverno/kyverno from its description in words; where releases
// differ, package release says how. A Prediction is what Kyverno would send: fields that it leaves to the API server's
// defaults are nil, and there is no caBundle.
package webhooks
