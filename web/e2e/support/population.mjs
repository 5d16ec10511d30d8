// Writes a cluster with objects: namespaces, policies, and in each namespace some
// ConfigMaps. The same numbers give the same manifests. Policy p looks at namespaces whose
// label shard is below p modulo 10, and leaves out objects with the label skip. Vacant
// namespaces have no objects.

export function population(policies, namespaces, objects, vacant = 0) {
  const parts = [];
  for (let space = 0; space < vacant; space++) {
    parts.push(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"${vacantName(space)}"}}`);
  }
  for (let space = 0; space < namespaces; space++) {
    parts.push(
      `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"${spaceName(space)}","labels":{"shard":"s${space % 10}"}}}`,
    );
    for (let number = 0; number < objects; number++) {
      const labels = number % 4 === 3 ? `{"skip":"yes"}` : `{"app":"a${number}"}`;
      parts.push(
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"config-${number}","namespace":"${spaceName(space)}","labels":${labels}}}`,
      );
    }
  }
  for (let policy = 0; policy < policies; policy++) parts.push(JSON.stringify(webhook(policy)));
  return parts.join("\n---\n") + "\n";
}

export function spaceName(number) {
  return `space-${String(number).padStart(3, "0")}`;
}

export function vacantName(number) {
  return `nothing-${String(number).padStart(3, "0")}`;
}

export function policyName(number) {
  return `policy-${String(number).padStart(3, "0")}`;
}

function webhook(number) {
  const values = Array.from({ length: number % 10 }, (_, shard) => `s${shard}`);
  const namespaceSelector =
    values.length > 0 ? { matchExpressions: [{ key: "shard", operator: "In", values }] } : {};
  const objectSelector =
    number % 3 === 0 ? { matchExpressions: [{ key: "skip", operator: "DoesNotExist" }] } : {};
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: policyName(number) },
    webhooks: [
      {
        name: `${policyName(number)}.example.com`,
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        clientConfig: { service: { name: "guard", namespace: spaceName(0) } },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
        namespaceSelector,
        objectSelector,
      },
    ],
  };
}
