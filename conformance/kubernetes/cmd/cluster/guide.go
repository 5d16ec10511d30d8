package main

// The guides say what to do with the cluster, given the path of its kubeconfig. They are printed once it is ready.
const (
	sampleGuide = `
The sample runs on a real Kubernetes API server. In another terminal:

    export KUBECONFIG=%s
    make run

Open the page, and change what it shows with kubectl, after the same export: create and delete policies, webhook
configurations and their parameters, relabel namespaces. None of this is refused. Nothing answers at the addresses of the
sample's webhooks, so a write that one of them sees under failurePolicy Fail is refused at once, as in a cluster whose
webhooks are down; pods and deployments can be written in the namespace shop-dev. There are no controllers and no nodes:
pods stay Pending, and a deleted namespace stays Terminating.

Press Ctrl-C to end it. Nothing is kept.
`
	emptyGuide = `
An empty Kubernetes API server runs. In another terminal:

    export KUBECONFIG=%s
    make run

There are no controllers and no nodes: pods stay Pending, and a deleted namespace stays Terminating.

Press Ctrl-C to end it. Nothing is kept.
`
)
