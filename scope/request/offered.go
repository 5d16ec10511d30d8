package request

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// fromDeployment offers the ReplicaSet and, one step on, its Pod. Both have the hash of
// the template in a label and in their names.
func fromDeployment(o owner) []Offer {
	spec := map[string]any{"template": o.mapAt("spec", "template")}
	if selector := o.mapAt("spec", "selector"); len(selector) > 0 {
		spec["selector"] = selector
	}
	if replicas, ok, err := unstructured.NestedFieldNoCopy(o.Object, "spec", "replicas"); ok && err == nil {
		spec["replicas"] = replicas
	}
	replicaSet := o.made("apps/v1", "ReplicaSet", spec, "spec", "template")
	annotations := o.mapAt("metadata", "annotations")
	maps.DeleteFunc(annotations, func(key string, _ any) bool { return key == "kubectl.kubernetes.io/last-applied-configuration" })
	metadata := replicaSet["metadata"].(map[string]any)
	delete(metadata, "annotations")
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}

	pod := o.pod("spec", "template")
	reference := map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": true, "blockOwnerDeletion": true}
	pod["metadata"].(map[string]any)["ownerReferences"] = []any{reference}
	const note = "its name and its label pod-template-hash contain a hash of the template, which is left out here"
	return []Offer{
		o.offer(replicaSet, "deployment-controller", note),
		o.offer(pod, "replicaset-controller", note),
	}
}

// fromStatefulSet offers the first Pod, whose name is not generated.
func fromStatefulSet(o owner) []Offer {
	pod := o.pod("spec", "template")
	metadata := pod["metadata"].(map[string]any)
	delete(metadata, "generateName")
	if o.name != "" {
		first := int64(0)
		if start, ok, err := unstructured.NestedInt64(o.Object, "spec", "ordinals", "start"); ok && err == nil {
			first = start
		}
		name := fmt.Sprintf("%s-%d", o.name, first)
		metadata["name"] = name
		label(pod, "statefulset.kubernetes.io/pod-name", name)
		label(pod, "apps.kubernetes.io/pod-index", fmt.Sprint(first))
	}
	return []Offer{o.offer(pod, "statefulset-controller", "its label controller-revision-hash contains a hash of the template, which is left out here")}
}

// fromJob offers the Pod of a Job, which carries the name of the Job in two labels.
func fromJob(o owner) []Offer {
	pod := o.pod("spec", "template")
	if o.name != "" {
		label(pod, "batch.kubernetes.io/job-name", o.name)
		label(pod, "job-name", o.name)
	}
	return []Offer{o.offer(pod, "job-controller", "its labels with the uid of the Job are left out here")}
}

// fromCronJob offers the Job and its Pod. The name of the Job contains the time for which
// it was scheduled.
func fromCronJob(o owner) []Offer {
	job := o.made("batch/v1", "Job", o.mapAt("spec", "jobTemplate", "spec"), "spec", "jobTemplate")
	pod := o.pod("spec", "jobTemplate", "spec", "template")
	reference := map[string]any{"apiVersion": "batch/v1", "kind": "Job", "controller": true, "blockOwnerDeletion": true}
	pod["metadata"].(map[string]any)["ownerReferences"] = []any{reference}
	const note = "the name of the Job contains the time for which it is scheduled, which is left out here"
	return []Offer{o.offer(job, "cronjob-controller", note), o.offer(pod, "job-controller", note)}
}

// fromPodTemplate offers the Pod. No controller of Kubernetes reads a PodTemplate, so it is
// not known who would ask.
func fromPodTemplate(o owner) []Offer {
	pod := o.pod("template")
	delete(pod["metadata"].(map[string]any), "ownerReferences")
	return []Offer{o.offer(pod, "", "")}
}
