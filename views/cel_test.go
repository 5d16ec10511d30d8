package views

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		expression string
		want       []string
	}{
		{`has(object.spec.replicas) && object.spec.replicas > 1`, []string{"call has", "input object", "op &&", "input object", "op >", "num 1"}},
		{`!('x' in request.object)`, []string{"op !", "str 'x'", "key in", "input request"}},
		{`r"\" + b'\'' // why "not"`, []string{`str r"\"`, "op +", `str b'\''`, `com // why "not"`}},
		{`'''it's''' == "open`, []string{`str '''it's'''`, "op ==", `str "open`}},
		{"x.?y.orValue(true) ? 1.5e3 : null", []string{"op ?", "call orValue", "key true", "op ?", "num 1.5e3", "op :", "key null"}},
	} {
		var got []string
		for _, token := range Tokens(c.expression) {
			if token.Class != "" {
				got = append(got, token.Class+" "+token.Text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.expression, diff)
		}
	}
}

// FuzzTokens holds the promise that highlighting loses nothing and never fails.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"", "'", `"\`, "r'", "a.b(c)", "//", "é'\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		var b strings.Builder
		for _, token := range Tokens(expression) {
			if token.Text == "" {
				t.Fatal("an empty token")
			}
			b.WriteString(token.Text)
		}
		if b.String() != expression {
			t.Fatalf("got %q back from %q", b.String(), expression)
		}
	})
}
