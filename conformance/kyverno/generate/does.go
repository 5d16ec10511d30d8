package generate

// certificate is some certificate: nothing is ever verified with it.
const certificate = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8nXRh950IZbRj8Ra/N9sbqOPZrfM
5/KAQN0/KjHcorm/J5yctVd7iEcnessRQjU917hmKO6JWVGHpDguIyakZA==
-----END PUBLIC KEY-----
`

// does gives a policy something to do that does not matter.
func does(kind string, spec map[string]any, g *Generator) {
	spec["variables"] = []any{map[string]any{"name": "flag", "expression": "true"}}
	switch kind {
	case "ValidatingPolicy", "NamespacedValidatingPolicy":
		spec["validations"] = []any{map[string]any{"expression": "true", "message": "never"}}
	case "MutatingPolicy", "NamespacedMutatingPolicy":
		spec["mutations"] = []any{map[string]any{"patchType": "ApplyConfiguration", "applyConfiguration": map[string]any{
			"expression": "Object{metadata: Object.metadata{labels: Object.metadata.labels{conformance: \"yes\"}}}",
		}}}
	case "GeneratingPolicy", "NamespacedGeneratingPolicy":
		spec["variables"] = append(spec["variables"].([]any), map[string]any{"name": "made", "expression": made})
		generate := "generator.Apply(variables.made)" // In its own namespace.
		if kind == "GeneratingPolicy" {
			generate = "generator.Apply('team-a', variables.made)"
		}
		spec["generate"] = []any{map[string]any{"expression": generate}}
	case "ImageValidatingPolicy", "NamespacedImageValidatingPolicy":
		spec["matchImageReferences"] = []any{map[string]any{"glob": "registry.invalid/*"}}
		spec["attestors"] = []any{map[string]any{"name": "key", "cosign": map[string]any{"key": map[string]any{"data": certificate}}}}
		spec["validations"] = []any{map[string]any{"expression": "images.containers.map(image, verifyImageSignatures(image, [attestors.key])).all(e, e > 0)"}}
		if g.once(2) {
			spec["validationConfigurations"] = map[string]any{"mutateDigest": g.once(2)}
		}
	}
}

const made = `[{"kind": dyn("Service"), "apiVersion": dyn("v1"), "metadata": dyn({"name": "made"})}]`
