package builtin

import "strings"

// podRules are those of k8s.io/kubernetes/pkg/apis/core/v1/defaults.go about pods and what they consist of.
var podRules = map[string]rule{
	"core/v1.Pod":                {fills: []string{"core/v1.Container resources.requests"}, fill: defaultPod},
	"core/v1.PodSpec":            {fills: []string{"core/v1.PodSpec serviceAccount", "core/v1.PodSpec serviceAccountName"}, fill: defaultServiceAccount},
	"core/v1.PodStatus":          {fills: []string{"core/v1.PodStatus podIP", "core/v1.PodStatus podIPs"}, fill: defaultPodIPs},
	"core/v1.Container":          {fills: []string{"core/v1.Container imagePullPolicy"}, fill: defaultImagePullPolicy},
	"core/v1.EphemeralContainer": {fills: []string{"core/v1.EphemeralContainer imagePullPolicy"}, fill: defaultImagePullPolicy},
	"core/v1.ImageVolumeSource":  {fills: []string{"core/v1.ImageVolumeSource pullPolicy"}, fill: defaultImageVolume},
	"core/v1.Volume":             {fills: []string{"core/v1.Volume emptyDir"}, fill: defaultVolume},
}

// defaultPod does what the server does for pods alone and not for pod templates (SetDefaults_Pod): requests are copied
// from limits, host networking makes all container ports host ports, and a negative grace period is one second.
func defaultPod(pod map[string]any) {
	spec := object(pod, "spec")
	if negative(spec["terminationGracePeriodSeconds"]) {
		spec["terminationGracePeriodSeconds"] = int64(1)
	}
	for _, list := range []string{"initContainers", "containers"} {
		for _, container := range objects(spec, list) {
			defaultRequests(container)
			if spec["hostNetwork"] == true {
				defaultHostPorts(container)
			}
		}
	}
}

func negative(value any) bool {
	switch n := value.(type) {
	case int64:
		return n < 0
	case float64:
		return n < 0
	}
	return false
}

func defaultRequests(container map[string]any) {
	resources := object(container, "resources")
	if limits := object(resources, "limits"); len(limits) > 0 {
		addMissing(made(resources, "requests"), limits)
	}
}

func defaultHostPorts(container map[string]any) {
	for _, port := range objects(container, "ports") {
		if number, ok := port["containerPort"]; ok && (missing(port["hostPort"]) || isZero(port["hostPort"])) {
			port["hostPort"] = number
		}
	}
}

// defaultServiceAccount keeps the field serviceAccount, which is deprecated, in step with serviceAccountName, which wins
// (SetDefaults_PodSpec).
func defaultServiceAccount(spec map[string]any) {
	name := text(spec, "serviceAccountName")
	if name == "" {
		name = text(spec, "serviceAccount")
	}
	if name != "" {
		spec["serviceAccountName"], spec["serviceAccount"] = name, name
	}
}

// defaultPodIPs keeps the one address and the list of addresses in step; the one address wins (SetDefaults_PodStatus).
func defaultPodIPs(status map[string]any) {
	ip, ips := text(status, "podIP"), objects(status, "podIPs")
	switch {
	case ip == "" && len(ips) > 0:
		status["podIP"] = text(ips[0], "ip")
	case ip != "" && (len(ips) == 0 || text(ips[0], "ip") != ip):
		status["podIPs"] = []any{map[string]any{"ip": ip}}
	}
}

// defaultImagePullPolicy is about SetDefaults_Container, which also serves for ephemeral containers.
func defaultImagePullPolicy(container map[string]any) {
	if text(container, "imagePullPolicy") == "" {
		container["imagePullPolicy"] = pullPolicy(text(container, "image"))
	}
}

// defaultImageVolume does the same for a volume that is an image (SetDefaults_Volume).
func defaultImageVolume(source map[string]any) {
	if text(source, "pullPolicy") == "" {
		source["pullPolicy"] = pullPolicy(text(source, "reference"))
	}
}

// defaultVolume makes a volume without any source an emptyDir (SetDefaults_Volume).
func defaultVolume(volume map[string]any) {
	for name, source := range volume {
		if name != "name" && source != nil {
			return
		}
	}
	volume["emptyDir"] = map[string]any{}
}

// pullPolicy is Always for the tag latest, which an image without tag and digest has, too. An image name that cannot be
// parsed has no tag at all (k8s.io/kubernetes/pkg/util/parsers, ParseImageName).
func pullPolicy(image string) string {
	parts := imageName.FindStringSubmatch(image)
	if parts == nil || hexadecimalID.MatchString(image) {
		return "IfNotPresent"
	}
	tag, digest := strings.TrimPrefix(parts[1], ":"), parts[2]
	if tag == "latest" || tag == "" && digest == "" {
		return "Always"
	}
	return "IfNotPresent"
}
