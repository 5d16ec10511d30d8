package builtin

// workloadRules are those of k8s.io/kubernetes/pkg/apis, apps/v1 and batch/v1, defaults.go and conversion.go.
var workloadRules = map[string]rule{
	"apps/v1.DeploymentStrategy":      {fills: []string{"apps/v1.DeploymentStrategy rollingUpdate"}, fill: defaultDeploymentStrategy},
	"apps/v1.DaemonSetUpdateStrategy": {fills: []string{"apps/v1.DaemonSetUpdateStrategy rollingUpdate"}, fill: defaultDaemonSetStrategy},
	"apps/v1.RollingUpdateDeployment": {fills: []string{
		"apps/v1.RollingUpdateDeployment maxSurge", "apps/v1.RollingUpdateDeployment maxUnavailable",
	}, fill: zeroRollingUpdate},
	"apps/v1.RollingUpdateDaemonSet": {fills: []string{"apps/v1.RollingUpdateDaemonSet maxUnavailable"}, fill: zeroRollingUpdate},
	"apps/v1.StatefulSetUpdateStrategy": {fills: []string{
		"apps/v1.StatefulSetUpdateStrategy rollingUpdate", "apps/v1.RollingUpdateStatefulSetStrategy maxUnavailable",
	}, fill: defaultStatefulSetStrategy},
	"apps/v1.StatefulSetSpec": {fills: []string{"core/v1.PersistentVolumeClaim apiVersion", "core/v1.PersistentVolumeClaim kind"}, fill: defaultClaimTemplates},
	"apps/v1.DaemonSet":       {fills: []string{"apps/v1.DaemonSet metadata.annotations"}, fill: defaultTemplateGeneration},
	"batch/v1.Job": {fills: []string{
		"batch/v1.Job metadata.labels", "batch/v1.Job spec.backoffLimit",
		"batch/v1.Job spec.completions", "batch/v1.Job spec.podReplacementPolicy",
	}, fill: defaultJob},
}

// defaultDeploymentStrategy fills the parameters of a rolling update if that is the strategy (SetDefaults_Deployment).
func defaultDeploymentStrategy(strategy map[string]any) {
	if typ := text(strategy, "type"); typ == "" || typ == "RollingUpdate" {
		rolling := made(strategy, "rollingUpdate")
		setMissing(rolling, "maxUnavailable", "25%")
		setMissing(rolling, "maxSurge", "25%")
	}
}

// defaultDaemonSetStrategy does the same for a DaemonSet (SetDefaults_DaemonSet).
func defaultDaemonSetStrategy(strategy map[string]any) {
	if typ := text(strategy, "type"); typ == "" || typ == "RollingUpdate" {
		setMissing(made(strategy, "rollingUpdate"), "maxUnavailable", int64(1))
	}
}

// zeroRollingUpdate fills what the rule of the strategy has left open, because the strategy is another one: in the internal
// version these fields have no way to be missing.
func zeroRollingUpdate(rolling map[string]any) {
	setMissing(rolling, "maxUnavailable", int64(0))
	setMissing(rolling, "maxSurge", int64(0))
}

// defaultStatefulSetStrategy makes parameters only if no strategy is given at all, but fills those that are there if
// the strategy is a rolling update (SetDefaults_StatefulSet).
func defaultStatefulSetStrategy(strategy map[string]any) {
	typ := text(strategy, "type")
	if typ == "" {
		made(strategy, "rollingUpdate")
	}
	if rolling := object(strategy, "rollingUpdate"); rolling != nil && (typ == "" || typ == "RollingUpdate") {
		setMissing(rolling, "maxUnavailable", int64(1))
	}
}

// defaultClaimTemplates says of each claim template what kind it is (Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec).
func defaultClaimTemplates(spec map[string]any) {
	for _, claim := range objects(spec, "volumeClaimTemplates") {
		claim["apiVersion"], claim["kind"] = "v1", "PersistentVolumeClaim"
	}
}

// defaultTemplateGeneration adds the annotation that carries a field of the internal version
// (Convert_apps_DaemonSet_To_v1_DaemonSet).
func defaultTemplateGeneration(daemonSet map[string]any) {
	setMissing(made(made(daemonSet, "metadata"), "annotations"), "deprecated.daemonset.template.generation", "0")
}

// defaultJob is about jobs alone, and not about the template of a CronJob (SetDefaults_Job).
func defaultJob(job map[string]any) {
	spec := made(job, "spec")
	if spec["completions"] == nil && spec["parallelism"] == nil {
		spec["completions"] = int64(1)
	}
	backoff, replacement := int64(6), "TerminatingOrFailed"
	if spec["backoffLimitPerIndex"] != nil {
		backoff = 1<<31 - 1
	}
	if spec["podFailurePolicy"] != nil {
		replacement = "Failed"
	}
	setMissing(spec, "backoffLimit", backoff)
	setMissing(spec, "podReplacementPolicy", replacement)
	if labels := object(object(object(spec, "template"), "metadata"), "labels"); len(labels) > 0 {
		takeLabels(job, labels)
	}
}
