// Package requests sends requests through a running Kyverno and holds what Ambit says of each policy to what the policies
// did: every policy of its world leaves its name on a request that it applies to.
package requests
