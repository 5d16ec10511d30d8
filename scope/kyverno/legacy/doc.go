// Package legacy decides the scope of ClusterPolicies and Policies, Kyverno's policies of the group kyverno.io.
//
// A request passes two rooms. In the API server stand the webhooks that Kyverno writes: Webhooks works them out.
// Inside Kyverno the engine asks each rule whether it is for the request: Layers are its questions. Package rules
// says which rules a policy has, derived ones included, and package block what a match or exclude block says to a
// request.
package legacy
