package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/cluster/sample"
)

// Whatever comes in over the websocket, the answer is a message that the page can read,
// and nothing panics on the way to it.
func FuzzQuestion(f *testing.F) {
	examples, err := sample.Examples()
	if err != nil {
		f.Fatal(err)
	}
	source, err := sample.Source()
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range examples {
		seed, err := json.Marshal(question{Seq: 1, Text: e.Text})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"seq":-1,"text":"kind: Pod\napiVersion: v1","ask":{"operation":"CONNECT","subresource":"exec","groups":["",""],"document":99,"oldObject":"{"},"policy":"x/y/z"}`))
	f.Add([]byte(`{"text":"- a\n- b","ask":{"collection":true,"operation":"delete","dryRun":true}}`))
	s := newServer(Config{Source: source})
	f.Fuzz(func(t *testing.T, message []byte) {
		var q question
		if json.Unmarshal(message, &q) != nil {
			return
		}
		r := s.reply(context.Background(), q)
		for _, p := range r.Problems {
			if strings.Contains(p.Message, "went wrong") {
				t.Fatalf("a panic: %s", p.Message)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		if r.State == stateAnswer && !strings.Contains(r.HTML["result"], `id="result"`) {
			t.Fatalf("an answer without a result: %v", r.HTML)
		}
	})
}
