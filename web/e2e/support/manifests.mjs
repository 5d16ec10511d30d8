// Writes many policies, half of them webhooks and half admission policies with a binding,
// of which about a quarter name pods. The same number gives the same manifests.

const resources = [
  ["", "pods"],
  ["apps", "deployments"],
  ["batch", "jobs"],
  ["", "services"],
];

export function manifests(count) {
  const parts = [];
  for (const name of ["team-a", "team-b", "team-c", "kube-system"]) {
    parts.push(`apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels: { kubernetes.io/metadata.name: ${name}, tenant: ${name.at(-1)} }`);
  }
  for (let number = 0; number < count; number++) {
    parts.push(number % 2 === 0 ? webhook(number) : policy(number));
  }
  return parts.join("\n---\n") + "\n";
}

function webhook(number) {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: webhook-${number}
webhooks:
  - name: webhook-${number}.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig:
      service: { name: webhook-${number}, namespace: kube-system }
    rules:
      - ${rule(number, "        ")}
    ${selectors(number, "    ")}
    matchConditions:
      - { name: not-a-node, expression: "!request.userInfo.username.startsWith('system:node:')" }`;
}

function policy(number) {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: policy-${number}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - ${rule(number, "        ")}
    ${selectors(number, "    ")}
  matchConditions:
    - { name: named, expression: "object.metadata.name != 'none-${number}'" }
  validations:
    - { expression: "true" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: policy-${number}-all
spec:
  policyName: policy-${number}
  validationActions: [Deny]`;
}

function rule(number, indent) {
  const [group, resource] = resources[(number >> 1) % resources.length];
  return [
    `operations: [CREATE, UPDATE]`,
    `apiGroups: ["${group}"]`,
    `apiVersions: [v1]`,
    `resources: [${resource}]`,
  ].join(`\n${indent}`);
}

function selectors(number, indent) {
  return [
    `namespaceSelector:`,
    `  matchExpressions: [{ key: tenant, operator: ${number % 3 === 0 ? "In, values: [a, b]" : "Exists"} }]`,
    `objectSelector:`,
    `  matchExpressions: [{ key: exempt-${number}, operator: DoesNotExist }]`,
  ].join(`\n${indent}`);
}
