package builtin

import "encoding/base64"

// coreRules are those of k8s.io/kubernetes/pkg/apis/core/v1, defaults.go and conversion.go, about all but pods.
var coreRules = map[string]rule{
	"core/v1.Namespace":             {fills: []string{"core/v1.Namespace metadata.labels"}, fill: defaultNamespace},
	"core/v1.Secret":                {fills: []string{"core/v1.Secret data"}, fill: mergeStringData},
	"core/v1.ReplicationController": {fills: []string{"core/v1.ReplicationController metadata.labels", "core/v1.ReplicationControllerSpec selector"}, fill: defaultReplicationController},
	"core/v1.NodeSpec":              {fills: []string{"core/v1.NodeSpec podCIDR", "core/v1.NodeSpec podCIDRs"}, fill: defaultPodCIDRs},
	"core/v1.NodeStatus":            {fills: []string{"core/v1.NodeStatus allocatable"}, fill: defaultAllocatable},
	"core/v1.LimitRangeItem":        {fills: []string{"core/v1.LimitRangeItem default", "core/v1.LimitRangeItem defaultRequest"}, fill: defaultLimits},
	"core/v1.Service":               {fill: defaultIngressMode},
	"core/v1.ServicePort":           {fills: []string{"core/v1.ServicePort targetPort"}, fill: defaultTargetPort},
	"core/v1.ServiceSpec": {fills: []string{
		"core/v1.ServiceSpec allocateLoadBalancerNodePorts", "core/v1.ServiceSpec externalTrafficPolicy",
		"core/v1.ServiceSpec internalTrafficPolicy", "core/v1.ServiceSpec sessionAffinityConfig",
	}, fill: defaultService},
}

// defaultNamespace labels a namespace with its name. One without a name, because it has a generateName, gets the label
// only later (SetDefaults_Namespace).
func defaultNamespace(namespace map[string]any) {
	if name := text(object(namespace, "metadata"), "name"); name != "" {
		made(made(namespace, "metadata"), "labels")["kubernetes.io/metadata.name"] = name
	}
}

// mergeStringData moves stringData to data, over what is there: it can be written but never is read back
// (Convert_v1_Secret_To_core_Secret).
func mergeStringData(secret map[string]any) {
	values := object(secret, "stringData")
	for key, value := range values {
		if s, ok := value.(string); ok {
			made(secret, "data")[key] = base64.StdEncoding.EncodeToString([]byte(s))
			delete(values, key)
		}
	}
	if len(values) == 0 && values != nil {
		delete(secret, "stringData")
	}
}

// defaultReplicationController takes the selector and the labels from the template (SetDefaults_ReplicationController).
func defaultReplicationController(controller map[string]any) {
	spec := object(controller, "spec")
	labels := object(object(object(spec, "template"), "metadata"), "labels")
	if len(labels) == 0 {
		return
	}
	if len(object(spec, "selector")) == 0 {
		addMissing(made(spec, "selector"), labels)
	}
	takeLabels(controller, labels)
}

// takeLabels gives labels to an object that has none.
func takeLabels(o, labels map[string]any) {
	if len(object(object(o, "metadata"), "labels")) == 0 {
		addMissing(made(made(o, "metadata"), "labels"), labels)
	}
}

// defaultPodCIDRs keeps the one range and the list of ranges in step; the one range wins
// (Convert_v1_NodeSpec_To_core_NodeSpec and back).
func defaultPodCIDRs(spec map[string]any) {
	cidr := text(spec, "podCIDR")
	cidrs, _ := spec["podCIDRs"].([]any)
	switch {
	case cidr != "" && (len(cidrs) == 0 || cidrs[0] != cidr):
		spec["podCIDRs"] = []any{cidr}
	case cidr == "" && len(cidrs) > 0:
		spec["podCIDR"] = cidrs[0]
	}
}

// defaultAllocatable makes all of a node's capacity allocatable (SetDefaults_NodeStatus).
func defaultAllocatable(status map[string]any) {
	if capacity := object(status, "capacity"); len(capacity) > 0 {
		setMissing(status, "allocatable", capacity)
	}
}

// defaultLimits fills the default limit of a container from the maximum, and the default request from the default limit
// and then from the minimum (SetDefaults_LimitRangeItem).
func defaultLimits(item map[string]any) {
	if text(item, "type") != "Container" {
		return
	}
	addMissing(made(item, "default"), object(item, "max"))
	addMissing(made(item, "defaultRequest"), object(item, "default"))
	addMissing(made(item, "defaultRequest"), object(item, "min"))
}

// defaultService is the part of SetDefaults_Service that depends on the type and on the session affinity.
func defaultService(spec map[string]any) {
	typ := text(spec, "type")
	clusterIP := typ == "" || typ == "ClusterIP"
	outside := typ == "NodePort" || typ == "LoadBalancer"
	externalIPs, _ := spec["externalIPs"].([]any)

	switch text(spec, "sessionAffinity") {
	case "", "None":
		delete(spec, "sessionAffinityConfig")
	case "ClientIP":
		if missing(object(object(spec, "sessionAffinityConfig"), "clientIP")["timeoutSeconds"]) {
			spec["sessionAffinityConfig"] = map[string]any{"clientIP": map[string]any{"timeoutSeconds": int64(10800)}}
		}
	}
	if text(spec, "externalTrafficPolicy") == "" && (outside || clusterIP && len(externalIPs) > 0) {
		spec["externalTrafficPolicy"] = "Cluster"
	}
	if clusterIP || outside {
		setMissing(spec, "internalTrafficPolicy", "Cluster")
	}
	if typ == "LoadBalancer" {
		setMissing(spec, "allocateLoadBalancerNodePorts", true)
	}
}

// defaultTargetPort makes the target of a service port the port itself (SetDefaults_Service).
func defaultTargetPort(port map[string]any) {
	if target := port["targetPort"]; missing(target) || isZero(target) {
		if number := port["port"]; number != nil {
			port["targetPort"] = number
		}
	}
}

// defaultIngressMode says how a load balancer's addresses are meant (SetDefaults_Service).
func defaultIngressMode(service map[string]any) {
	if text(object(service, "spec"), "type") != "LoadBalancer" {
		return
	}
	for _, ingress := range objects(object(object(service, "status"), "loadBalancer"), "ingress") {
		if text(ingress, "ip") != "" {
			setMissing(ingress, "ipMode", "VIP")
		}
	}
}
