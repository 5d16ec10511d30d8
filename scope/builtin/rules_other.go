package builtin

import "strings"

// otherRules are those of the remaining groups: k8s.io/kubernetes/pkg/apis, networking/v1, rbac/v1 and resource/v1, and
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1, all in defaults.go.
var otherRules = map[string]rule{
	"networking/v1.NetworkPolicySpec": {fills: []string{"networking/v1.NetworkPolicySpec policyTypes"}, fill: defaultPolicyTypes},
	"rbac/v1.Subject":                 {fills: []string{"rbac/v1.Subject apiGroup"}, fill: defaultSubject},
	"resource/v1.DeviceSubRequest":    {fills: []string{"resource/v1.DeviceSubRequest count"}, fill: defaultDeviceCount},
	"resource/v1.ExactDeviceRequest":  {fills: []string{"resource/v1.ExactDeviceRequest count"}, fill: defaultDeviceCount},
	"apiextensions/v1.CustomResourceDefinition": {fills: []string{
		"apiextensions/v1.CustomResourceDefinitionSpec names.listKind",
		"apiextensions/v1.CustomResourceDefinitionSpec names.singular",
		"apiextensions/v1.CustomResourceDefinitionStatus storedVersions",
	}, fill: defaultDefinition},
}

// defaultPolicyTypes derives what a network policy is about from what it has (SetDefaults_NetworkPolicy).
func defaultPolicyTypes(spec map[string]any) {
	types := []any{"Ingress"}
	if egress, _ := spec["egress"].([]any); len(egress) > 0 {
		types = append(types, "Egress")
	}
	setMissing(spec, "policyTypes", types)
}

// defaultSubject puts users and groups into the group of RBAC (SetDefaults_Subject).
func defaultSubject(subject map[string]any) {
	if kind := text(subject, "kind"); text(subject, "apiGroup") == "" && (kind == "User" || kind == "Group") {
		subject["apiGroup"] = "rbac.authorization.k8s.io"
	}
}

// defaultDeviceCount asks for one device if the number matters (SetDefaults_ExactDeviceRequest, SetDefaults_DeviceSubRequest).
func defaultDeviceCount(request map[string]any) {
	mode, count := text(request, "allocationMode"), request["count"]
	if (mode == "" || mode == "ExactCount") && (missing(count) || isZero(count)) {
		request["count"] = int64(1)
	}
}

// defaultDefinition derives names from the kind, and the version that is stored from the versions
// (SetDefaults_CustomResourceDefinition).
func defaultDefinition(definition map[string]any) {
	spec := object(definition, "spec")
	if names := object(spec, "names"); text(names, "kind") != "" {
		if text(names, "singular") == "" {
			names["singular"] = strings.ToLower(text(names, "kind"))
		}
		if text(names, "listKind") == "" {
			names["listKind"] = text(names, "kind") + "List"
		}
	}
	for _, version := range objects(spec, "versions") {
		if version["storage"] == true {
			setMissing(made(definition, "status"), "storedVersions", []any{text(version, "name")})
			return
		}
	}
}
