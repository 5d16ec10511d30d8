package manifest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

// builtIn are the kinds that have a Go type. In the API server objects of these kinds
// pass through it before CEL sees them.
var builtIn = func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(s))
	utilruntime.Must(apiextensionsv1.AddToScheme(s))
	return s
}()

var decoder = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, builtIn, builtIn, kjson.SerializerOptions{Strict: true})

// Typed decodes an object of a built-in kind to its Go type, with the API server's
// defaults; an object of any other kind is returned as it is. Fields that the type does
// not have are warnings. Nothing is returned for an object that the API server could not
// decode.
func (d Document) Typed() (runtime.Object, []Problem) {
	kind := d.Object.GroupVersionKind()
	if !builtIn.Recognizes(kind) {
		return d.Object, nil
	}
	u := d.Object.DeepCopy()
	builtin.Default(kind, u.Object)
	data, err := json.Marshal(u.Object)
	if err != nil {
		return nil, []Problem{d.Problem(Error, "", "the object cannot be written as JSON: "+err.Error(), "correct it")}
	}
	object, _, err := decoder.Decode(data, &kind, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
		return object, nil
	case !isStrict || object == nil:
		return nil, []Problem{d.undecodable(err)}
	}
	var problems []Problem
	for _, err := range strict.Errors() {
		problems = append(problems, d.unknownField(err))
	}
	return object, problems
}

// unknownField is the warning about a field that the type does not have.
func (d Document) unknownField(err error) Problem {
	_, quoted, ok := strings.Cut(err.Error(), "unknown field ")
	path, unquoteErr := strconv.Unquote(quoted)
	if !ok || unquoteErr != nil {
		return d.Problem(Warning, "", err.Error(), "correct it")
	}
	return d.Problem(Warning, path, fmt.Sprintf("%s has no field %s, so it is dropped", d.Object.GetKind(), path), "check the spelling and the indentation")
}

// mismatch is how the decoder says that a value does not fit its field.
var mismatch = regexp.MustCompile(`cannot unmarshal (\S+).* into Go struct field [^.\s]+\.(\S+) of type (\S+)`)

// undecodable is the error about an object that does not fit its type.
func (d Document) undecodable(err error) Problem {
	kind := d.Object.GetKind()
	if m := mismatch.FindStringSubmatch(err.Error()); m != nil {
		path := d.firstMatch(m[2], m[1])
		return d.Problem(Error, path, fmt.Sprintf("%s of a %s must be %s, not %s", path, kind, inJSON(m[3]), inJSON(m[1])), "correct the value or its indentation; text that looks like a number or a boolean needs quotes")
	}
	return d.Problem(Error, "", fmt.Sprintf("the object is not a valid %s: %v", kind, err), "correct it")
}

// inJSON says in plain words what the decoder calls by a Go type or a JSON form.
func inJSON(name string) string {
	switch {
	case name == "string":
		return "text"
	case name == "number" || strings.HasPrefix(name, "int") || strings.HasPrefix(name, "uint") || strings.HasPrefix(name, "float"):
		return "a number"
	case name == "bool":
		return "a boolean"
	case name == "array" || strings.HasPrefix(name, "[]"):
		return "a list"
	case name == "null":
		return "null"
	}
	return "a mapping"
}
