// Package controller runs Kyverno's admission controller, built from its released source, as a process against a
// kube-apiserver of its own, and waits until the controller has acted on everything that was written.
package controller
