package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// clients are the ways to ask one API server.
type clients struct {
	// name names the cluster in a sentence: cluster staging-eu.
	name      string
	discovery discoverer
	dynamic   dynamic.Interface
	// metadata and objects read the population.
	metadata, objects reader
	reviews           authorizationv1client.AuthorizationV1Interface
}

// discoverer is the part of the discovery client that is used here.
type discoverer interface {
	ServerVersionWithContext(ctx context.Context) (*version.Info, error)
	ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
}

// Enough for a start on a cluster whose policies take many kinds of parameters; the API server has its own limits.
const (
	queriesPerSecond = 50
	queriesAtOnce    = 100
)

// newClients makes the clients for what the usual kubeconfig rules lead to. The discovery client is not the getter's
// own, which answers from files that may be hours old.
func newClients(getter genericclioptions.RESTClientGetter) (*clients, error) {
	config, err := getter.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("find the cluster: %w", err)
	}
	if nowhere(getter, config) {
		return nil, ErrNoCluster
	}
	config = rest.CopyConfig(config)
	rest.AddUserAgent(config, "ambit")
	config.WarningHandler = rest.NoWarnings{}
	config.QPS, config.Burst = queriesPerSecond, queriesAtOnce

	c := &clients{name: clusterName(getter, config)}
	if c.discovery, err = discovery.NewDiscoveryClientForConfig(config); err != nil {
		return nil, fmt.Errorf("make a discovery client: %w", err)
	}
	if c.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	if err := c.readPopulation(config); err != nil {
		return nil, err
	}
	if c.reviews, err = authorizationv1client.NewForConfig(config); err != nil {
		return nil, fmt.Errorf("make a client for access reviews: %w", err)
	}
	return c, nil
}

// readPopulation makes the clients that read the population. Filling it takes some hundred requests, and its own bound
// on how many of them are under way spares the server better than a rate.
func (c *clients) readPopulation(config *rest.Config) error {
	config = rest.CopyConfig(config)
	config.QPS = -1
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for metadata: %w", err)
	}
	whole, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for objects: %w", err)
	}
	c.metadata, c.objects = metadataReader{partial}, objectReader{whole}
	return nil
}

// ErrNoCluster says that there is no cluster to follow.
var ErrNoCluster = errors.New("there is no kubeconfig that names a cluster, and Ambit does not run in one")

// nowhere reports whether the configuration is only the address that kubectl tries when nobody named one.
func nowhere(getter genericclioptions.RESTClientGetter, config *rest.Config) bool {
	raw, err := getter.ToRawKubeConfigLoader().RawConfig()
	if err != nil || len(raw.Clusters) > 0 || os.Getenv("KUBERNETES_MASTER") != "" {
		return false
	}
	if flags, ok := getter.(*genericclioptions.ConfigFlags); ok && flags.APIServer != nil && *flags.APIServer != "" {
		return false
	}
	return config.Host == clientcmd.ClusterDefaults.Server
}

// clusterName names the cluster by its context, which is the name that people give it.
func clusterName(getter genericclioptions.RESTClientGetter, config *rest.Config) string {
	name := ""
	if raw, err := getter.ToRawKubeConfigLoader().RawConfig(); err == nil {
		name = raw.CurrentContext
	}
	if flags, ok := getter.(*genericclioptions.ConfigFlags); ok && flags.Context != nil && *flags.Context != "" {
		name = *flags.Context
	}
	switch {
	case name != "":
		return "cluster " + name
	case os.Getenv("KUBERNETES_SERVICE_HOST") != "":
		return "the cluster that Ambit runs in"
	}
	return "the cluster at " + config.Host
}
