package requests

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// verdict is what was observed and said about one request.
type verdict struct {
	request request
	answer  oracle.Answer
	seen    []string
	said    said
	// wrong says what disagrees; empty is agreement.
	wrong string
	// late says that it agreed only after a while: the API server and Kyverno hear of changes by watches.
	late   bool
	ending string
}

// judge sends a request and compares. A disagreement counts if it stays.
func (w *world) judge(ctx context.Context, r request, deny bool) (v verdict, err error) {
	for _, wait := range []time.Duration{0, 200 * time.Millisecond, time.Second, 3 * time.Second, 6 * time.Second} {
		time.Sleep(wait)
		if v, err = w.once(ctx, r, deny); err != nil {
			return v, err
		}
		if v.wrong == "" {
			v.late = wait > 0
			break
		}
	}
	return v, nil
}

func (w *world) once(ctx context.Context, r request, deny bool) (verdict, error) {
	v := verdict{request: r, ending: w.ending}
	w.recorder.Take()
	answer, err := w.send(ctx, r)
	if err != nil {
		return v, err
	}
	v.answer, v.seen = answer, marks(answer, w.ending)
	calls := w.recorder.Take()
	mutating, validating := rehearsed(calls["mutating"]), rehearsed(calls["validating"])
	if mutating == nil {
		return v, fmt.Errorf("%s did not get to the recorder: %d %s", r, answer.Code, answer.Message())
	}
	if validating == nil {
		validating = mutating // A webhook that mutates refused it.
	}
	if v.said, err = ask(ctx, w.Ambit.Snapshot(), mutating, validating, w.ending); err != nil {
		return v, err
	}
	v.wrong = strings.Join(append(v.members(deny), v.fate(deny)...), "; ")
	return v, nil
}

// rehearsed returns the review of the one dry run among those that were recorded; Kyverno writes for good.
func rehearsed(reviews []oracle.Review) []byte {
	for _, r := range reviews {
		if r.Request.DryRun != nil && *r.Request.DryRun {
			return r.Raw
		}
	}
	return nil
}

// preconditioned are policies whose rules have preconditions: Ambit says that the request falls under them and that the
// preconditions are not evaluated.
var preconditioned = []string{"l-precondition"}

func (v verdict) preconditioned() bool {
	return slices.ContainsFunc(v.said.included, func(name string) bool { return slices.Contains(preconditioned, name) })
}

// members compares which policies applied. All webhooks that validate are asked at once, and the API server says one
// refusal: then the policies in it are some of those that apply.
func (v verdict) members(deny bool) (wrong []string) {
	open := slices.Concat(v.said.unknown, v.said.failed, preconditioned)
	for _, name := range v.seen {
		if !slices.Contains(v.said.included, name) && !slices.Contains(open, name) {
			wrong = append(wrong, name+" applied, and Ambit says it does not")
		}
	}
	for _, name := range v.said.included {
		if slices.Contains(open, name) {
			continue
		}
		visible := v.answer.OK() || !deny && !strings.HasPrefix(name, "m-") && !strings.HasPrefix(name, "nm-")
		if visible && !slices.Contains(v.seen, name) {
			wrong = append(wrong, name+" did not apply, and Ambit says it does")
		}
	}
	return wrong
}

// fate compares whether the request was refused.
func (v verdict) fate(deny bool) (wrong []string) {
	refuses := v.said.rejected
	for _, name := range v.said.included {
		refuses = refuses || deny && !slices.Contains(preconditioned, name) && !strings.HasPrefix(name, "m-") && !strings.HasPrefix(name, "nm-")
	}
	message := v.answer.Message()
	denied := !v.answer.OK() && (strings.Contains(message, "admission webhook") || strings.Contains(message, "resulted in error"))
	switch {
	case refuses && !denied:
		return []string{fmt.Sprintf("Ambit says that the request is refused, and the answer is %d %s", v.answer.Code, v.answer.Message())}
	case denied && !refuses && len(v.said.unknown) == 0 && !v.preconditioned():
		return []string{"the request is refused, and Ambit says that it is not: " + v.answer.Message()}
	}
	return nil
}

// String says what was asked, seen and said.
func (v verdict) String() string {
	text := fmt.Sprintf("%s\n  %s\n  seen %v, answer %d\n  said %v, unknown %v, failed %v", v.request, v.wrong, v.seen, v.answer.Code, v.said.included, v.said.unknown, v.said.failed)
	for _, t := range v.said.traces {
		name := strings.TrimSuffix(t.Policy.Name, v.ending)
		if strings.Contains(v.wrong, name+" ") {
			text += fmt.Sprintf("\n  %s: %s, decided by %s", t.Policy.ID(), t.Outcome, t.DecidedBy)
			for i, layer := range t.Policy.Layers {
				text += fmt.Sprintf("\n    %s %s %v", layer.Name(), t.Steps(context.Background())[i].Outcome, t.Reasons(context.Background(), i))
			}
		}
	}
	return text
}
