package hazard

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

var namespaceObjectInCondition = Rule{
	Name:    "namespace-object-in-condition",
	Summary: "A match condition reads namespaceObject, which is always null there.",
	Why:     "The API server declares namespaceObject for match conditions, so they compile, and gives them null. Reading a field of it is an error for every request.",
	Fix:     "Select namespaces by namespaceSelector, or compare request.namespace. Validations of admission policies do see namespaceObject.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.conditions == nil {
				return
			}
			for i, tree := range r.world.treesOf(v.conditions) {
				if tree == nil || !reads(tree, "namespaceObject") {
					continue
				}
				f := Finding{Severity: Warning, Field: v.conditions.Conditions[i].Field, Message: "namespaceObject is null in every match condition."}
				if readsFieldOf(paths(tree), "namespaceObject") && v.fails() {
					f.Severity = Error
				}
				r.add(v, false, f)
			}
		})
	},
}

var emptyTextComparison = Rule{
	Name:    "empty-request-field",
	Summary: "An expression compares a field of the request with the empty text, which the field never is.",
	Why:     "An empty namespace, name or subResource is not there at all. Comparing it is an error, and where it is there it is not empty.",
	Fix:     "Ask whether it is there: !has(request.namespace).",
	find: func(r *run) {
		r.each(func(v *view) {
			for _, e := range v.expressions() {
				tree := r.world.parse(e.text)
				if tree == nil {
					continue
				}
				for _, field := range comparedWithEmpty(tree) {
					r.add(v, false, Finding{Severity: Warning, Field: e.field, Message: fmt.Sprintf("%s is never the empty text: it is absent then, and comparing it is an error.", field),
						Fix: fmt.Sprintf("Write !has(%s).", field)})
				}
			}
		})
	},
}

// omitted are the fields of a request that are absent when they are empty
// (k8s.io/api/admission/v1, AdmissionRequest).
var omitted = []string{"request.namespace", "request.name", "request.subResource", "request.requestSubResource", "request.userInfo.username", "request.userInfo.uid"}

// comparedWithEmpty lists the fields that an expression compares with the empty text.
func comparedWithEmpty(tree *ast.AST) []string {
	var fields []string
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		args, _, ok := call(e, operators.Equals, operators.NotEquals)
		if !ok {
			return
		}
		for i := range args {
			literal, isText := text(args[1-i])
			if field, isField := dotted(args[i]); isText && literal == "" && isField && slices.Contains(omitted, field) && !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}))
	return fields
}

// comparesWithNull reports whether an expression asks if a variable is null.
func comparesWithNull(tree *ast.AST, variable string) bool {
	found := false
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		args, _, ok := call(e, operators.Equals, operators.NotEquals)
		if !ok {
			return
		}
		for i := range args {
			name, isName := dotted(args[i])
			found = found || isName && name == variable && isNull(args[1-i])
		}
	}))
	return found
}
