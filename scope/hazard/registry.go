package hazard

// registry has all rules, in the order of the documentation. A new one is one line here.
var registry = []Rule{
	// What never matches, or never takes effect.
	policyWithoutBinding, bindingWithoutPolicy, bindingNeverMatches,
	ruleNeverMatches, scopeNeverMatches, allExcluded,
	selectorMatchesNothing, noNamespaceMatches, namespaceNameAsLabel,
	conditionsContradict, conditionsNeverPass,
	// What lets through more than it seems to.
	objectLabelExclusion, identityByLabel, inclusiveObjectSelector, objectSelectorBlind,
	selectorCannotNarrow, notInAbsentKey,
	starMissesSubresources, connectNeverMatches, ephemeralContainersMissed,
	namesMissCollections, exactMissesVersions,
	// What fails.
	paramKindUnknown, paramsMissing, paramsNull, paramsOutOfScope,
	namespaceObjectInCondition, nullObject, absentRequestField, emptyTextComparison, missingField, namelessRequest, conditionsOverBudget,
	mutatingCustomScale, failCoversItself, failCoversSystem,
	// What is done for nothing.
	duplicatePolicy, redundantRule, evaluatedForNothing, matchedForNothing, conditionAlwaysTrue, calledTwice,
}
