package kyverno

import "github.com/ambit-k8s/ambit/scope/hazard"

// emptySelector are the rules for all kinds that say of a webhook what never-called and never-applies say of its policy.
var emptySelector = []string{"selector-matches-nothing", "no-namespace-matches"}

// unreachedRules are about policies that no request comes to.
var unreachedRules = []hazardRule{
	{hazard.Rule{
		Name:      prefix + neverCalled,
		Summary:   "No request ever reaches a policy of Kyverno, because its webhook is asked about none.",
		Why:       "A webhook without rules is called for nothing, and the selectors in the ConfigMap kyverno are added to those of every webhook.",
		Fix:       "Write the resources in spec.matchConstraints, and select what the ConfigMap does not exclude.",
		Unreached: true, Same: emptySelector,
	}, matchField},
	{hazard.Rule{
		Name:    prefix + neverApplies,
		Summary: "The selectors of a policy of Kyverno let nothing through.",
		Why:     "The requirements of a selector must hold together, and Kyverno's engine asks once more what its webhook has asked, in a namespaced policy with its namespace.",
		Fix:     "Change the selectors in spec.matchConstraints.",
		Same:    emptySelector,
	}, matchField},
	{hazard.Rule{
		Name:      prefix + overwrittenLabels,
		Summary:   "The ConfigMap of Kyverno replaces a label that a policy selects by, and so silences the policy.",
		Why:       "matchLabels of the ConfigMap take the place of a policy's own in the webhook, and the engine asks the policy's.",
		Fix:       "Take the label out of the ConfigMap's matchLabels, or ask for it in matchExpressions.",
		Unreached: true, Same: emptySelector,
	}, matchField},
	{hazard.Rule{
		Name:    prefix + "overwritten-selectors",
		Summary: "Another policy of Kyverno of the same kind may take this one's requests away.",
		Why:     "Before Kyverno 1.19 all policies of a kind share one webhook, with the selectors of the one that was written last.",
		Fix:     "Give all policies of the kind the same selectors, give each matchConditions so that it gets a webhook of its own, or use Kyverno 1.19.",
	}, matchField},
	{hazard.Rule{
		Name:      prefix + "kind-without-webhook",
		Summary:   "This release of Kyverno writes no webhook for policies of this kind.",
		Why:       "A NamespacedMutatingPolicy has webhooks since 1.17, a NamespacedGeneratingPolicy since 1.19. Before, it takes no part in admission.",
		Fix:       "Use the kind without a namespace, with a namespaceSelector, or a later release.",
		Unreached: true,
	}, "kind"},
	{hazard.Rule{
		Name:      prefix + "filtered-out",
		Summary:   "The resourceFilters of Kyverno let through all that a policy names.",
		Why:       "Kyverno allows what resourceFilters in its ConfigMap match before it looks at any policy, and says so nowhere.",
		Fix:       "Take the filter out of the ConfigMap.",
		Unreached: true,
	}, matchField},
	{hazard.Rule{
		Name:      prefix + "no-auto-update",
		Summary:   "Kyverno runs with --autoUpdateWebhooks=false, and no webhook serves policies of the group policies.kyverno.io.",
		Why:       "Kyverno then writes its webhooks once, for legacy policies alone.",
		Fix:       "Leave the flag at its default, true.",
		Unreached: true,
	}, wholePolicy},
	{hazard.Rule{
		Name:    prefix + kindNotFound,
		Summary: "A legacy policy of Kyverno names a kind that the cluster does not serve.",
		Why:     "Kyverno looks the kinds up when it writes its webhooks. What it does not find it logs and leaves out, and the policy counts as ready. Of manifests this is not said: the kind may be in the cluster.",
		Fix:     "Correct the kind, or install its CustomResourceDefinition.",
	}, wholePolicy},
}

// unwritableRules are about webhooks that Kyverno cannot write, or that fail.
var unwritableRules = []hazardRule{
	{hazard.Rule{
		Name:    prefix + "refused",
		Summary: "The API server refuses a webhook that Kyverno would write for a policy, and with it all others.",
		Why:     "The API server's rules for webhooks are stricter than those for policies, and it refuses a configuration as a whole. No change of any policy reaches the cluster's webhooks then.",
		Fix:     "Change the policy.",
	}, wholePolicy},
	{hazard.Rule{
		Name:    prefix + "duplicate-name",
		Summary: "Kyverno gives two webhooks one name.",
		Why:     "The API server refuses the configuration as a whole, and no change of any policy reaches the cluster's webhooks.",
		Fix:     "Let the policies differ in what the name is made of: kind, failure policy, selectors, and whether there are matchConditions.",
	}, "metadata.name"},
	{hazard.Rule{
		Name:    prefix + "crashes-controller",
		Summary: "A policy makes the controller of Kyverno that writes the webhooks crash.",
		Why:     "Kyverno sorts and derives rules without asking whether a pointer in them is nil (kyverno #17132). It starts again and crashes again, and no change of any policy reaches the cluster's webhooks.",
		Fix:     "Write the scope and the operations in all rules.",
	}, matchField + ".resourceRules"},
	{hazard.Rule{
		Name:    prefix + "namespace-object",
		Summary: "A match condition of a policy of Kyverno reads namespaceObject, which is null in its webhook.",
		Why:     "Before 1.19 Kyverno puts such conditions into its webhook all the same (kyverno #17018), and reading a field of it is an error for every request.",
		Fix:     "Use a namespaceSelector, or Kyverno 1.19.",
		Same:    []string{"namespace-object-in-condition"},
	}, "spec.matchConditions"},
	{hazard.Rule{
		Name:    prefix + "config-ignored",
		Summary: "Kyverno ignores something in its ConfigMap.",
		Why:     "Kyverno logs what it cannot read in its ConfigMap, and goes on as if it did not stand there.",
		Fix:     "Correct the value.",
	}, "data"},
}

// otherRules are about what is less than it seems to be, or costs more.
var otherRules = []hazardRule{
	{hazard.Rule{
		Name:    prefix + "controllers-not-called",
		Summary: "Kyverno extends a policy to controllers of Pods that its webhook does not ask about.",
		Why:     "Some releases leave the rules for controllers out of the webhooks of some kinds.",
		Fix:     "Name the controllers in a policy of their own. Pods that they make are still asked about.",
	}, matchField},
	{hazard.Rule{
		Name:    prefix + "controller-by-name",
		Summary: "Whether a policy is extended to a controller depends on what Kyverno has looked up before.",
		Why:     "A controller without version and group is looked up among the API groups that Kyverno happens to know already.",
		Fix:     "Write resource.version.group.",
	}, "spec.autogen.podControllers"},
	{hazard.Rule{
		Name:    prefix + mayBeReplaced,
		Summary: "Kyverno may write a ValidatingAdmissionPolicy in place of a policy, and no webhook.",
		Why:     "spec.autogen.validatingAdmissionPolicy asks for it. Whether Kyverno did it stands in the status, which a manifest does not have.",
		Fix:     "Ask a cluster, or take the policy with its status.",
	}, "spec.autogen.validatingAdmissionPolicy"},
	{hazard.Rule{
		Name:    prefix + "filtered-resource",
		Summary: "Webhooks ask Kyverno about resources that its resourceFilters let through unseen.",
		Why:     "Kyverno allows what resourceFilters in its ConfigMap match before it looks at any policy. Its own chart filters ReplicaSets, while policies for Pods are extended to them.",
		Fix:     "Nothing has to be done if the objects are checked elsewhere, as the Pods of a ReplicaSet are.",
	}, matchField},
	{hazard.Rule{
		Name:    prefix + "conditions-not-offloaded",
		Summary: "The API server evaluates no match conditions of a policy, so that each request costs a call.",
		Why:     "Kyverno gives conditions to the API server only if all of a policy's are understood there, and none that read namespaceObject.",
		Fix:     "Where calls are many, write the conditions with object, oldObject, request and authorizer alone.",
	}, "spec.matchConditions"},
	{hazard.Rule{
		Name:    prefix + "split-groups",
		Summary: "Policies select the same and have webhooks of their own, because their selectors are written in different ways.",
		Why:     "Kyverno groups policies by the text of their selectors. Each group is one call more for each request.",
		Fix:     "Write the selectors in the same way.",
	}, matchField},
	{hazard.Rule{
		Name:    prefix + "shared-path",
		Summary: "Two webhooks with different failure policies call Kyverno at one path, for the policies of both.",
		Why:     "Kyverno evaluates every policy in the path. A request that both match is evaluated twice, and while Kyverno cannot be reached it is the failurePolicy of the webhook that counts.",
		Fix:     "Nothing has to be done. With one failurePolicy for all, one call does.",
	}, wholePolicy},
}

// differenceRules are about the webhooks that the cluster has beside those that are predicted.
var differenceRules = []hazardRule{
	{hazard.Rule{
		Name:      prefix + string(Unserved),
		Summary:   "No webhook of the cluster serves a policy of Kyverno, although one should.",
		Why:       "No request comes to the policy. Kyverno's controller may not have seen it yet, or cannot write its webhooks; since 1.19 it writes none while its lease of health is stale.",
		Fix:       "Look into the log of Kyverno's admission controller. Where another release runs, say so with --kyverno-version.",
		Unreached: true,
	}, wholePolicy},
	{hazard.Rule{
		Name:    prefix + string(Missing),
		Summary: "The cluster lacks a webhook that Kyverno would write.",
		Why:     "Other webhooks serve some policies of it, or it has another name. What the cluster has decides.",
		Fix:     "Compare them with ambit webhooks --diff. Where another release of Kyverno runs, say so with --kyverno-version.",
	}, wholePolicy},
	{hazard.Rule{
		Name:    prefix + string(Unexpected),
		Summary: "The cluster has a webhook under Kyverno's name that follows from no policy.",
		Why:     "It may be left over, or from another release or other flags. The API server calls it all the same.",
		Fix:     "Compare them with ambit webhooks --diff. Where another release of Kyverno runs, say so with --kyverno-version.",
	}, "webhooks"},
	{hazard.Rule{
		Name:    prefix + string(Changed),
		Summary: "A webhook that Kyverno wrote has other values than Kyverno would write.",
		Why:     "Somebody changed it, and Kyverno takes that back as soon as it writes again; or Kyverno does not write any more, and changes of policies do not come here. What the cluster has decides.",
		Fix:     "Change the policies or the ConfigMap and not the webhook, and see ambit webhooks --diff. Where another release of Kyverno runs, say so with --kyverno-version.",
	}, "webhooks"},
}
