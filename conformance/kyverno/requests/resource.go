package requests

// resource is a resource that requests are about.
type resource struct {
	version, plural, kind string
	namespaced            bool
	spec                  map[string]any
}

var template = map[string]any{
	"metadata": map[string]any{"labels": map[string]any{"app": "x"}},
	"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "registry.invalid/c:1"}}, "restartPolicy": "Always"},
}

var resources = []resource{
	{"v1", "pods", "Pod", true, map[string]any{"spec": template["spec"]}},
	{"v1", "services", "Service", true, map[string]any{"spec": map[string]any{"ports": []any{map[string]any{"port": int64(80)}}}}},
	{"v1", "services", "Service", true, map[string]any{"spec": map[string]any{"ports": []any{map[string]any{"port": int64(80)}}}}},
	{"v1", "configmaps", "ConfigMap", true, map[string]any{"data": map[string]any{"a": "b"}}},
	{"v1", "configmaps", "ConfigMap", true, map[string]any{"data": map[string]any{"a": "b"}}},
	{"apps/v1", "deployments", "Deployment", true, workload()},
	{"apps/v1", "statefulsets", "StatefulSet", true, workload()},
	{"apps/v1", "replicasets", "ReplicaSet", true, workload()},
	{"batch/v1", "cronjobs", "CronJob", true, map[string]any{"spec": map[string]any{"schedule": "* * * * *", "jobTemplate": map[string]any{
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"restartPolicy": "Never", "containers": []any{map[string]any{"name": "c", "image": "c"}}}}},
	}}}},
	{"autoscaling/v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true, scaled("targetCPUUtilizationPercentage")},
	{"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true, scaled("")},
	{"v1", "namespaces", "Namespace", false, nil},
	{"rbac.authorization.k8s.io/v1", "clusterroles", "ClusterRole", false, map[string]any{"rules": []any{}}},
}

func workload() map[string]any {
	return map[string]any{"spec": map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": "x"}}, "template": template}}
}

func scaled(field string) map[string]any {
	spec := map[string]any{"maxReplicas": int64(3), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"}}
	if field != "" {
		spec[field] = int64(50)
	}
	return map[string]any{"spec": spec}
}
