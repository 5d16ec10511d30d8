// Package flow holds Ambit to what the flow control of a real kube-apiserver does: it installs FlowSchemas, sends
// requests, and compares the schema that Ambit names with the one that the API server names in its answer.
package flow
