// A policy that refuses every new pod of the namespaces of one team, in the form of the API.

const group = "/apis/admissionregistration.k8s.io/v1";

export const policies = `${group}/validatingadmissionpolicies`;
export const bindings = `${group}/validatingadmissionpolicybindings`;

export function policy(name, team) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { team } },
        resourceRules: [
          { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
        ],
      },
      validations: [{ expression: "false" }],
    },
  };
}

export function binding(name) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  };
}
