package request

import (
	"fmt"
	"slices"
	"strings"
)

// flags are the flags of kubectl that a line may have, by the letter or the name. Those
// with the value false take none. Most of them do not change which FlowSchema the request
// falls in; they are known so that their values are not taken for words.
var flags = map[string]bool{
	"all-namespaces": false, "namespace": true, "as": true, "as-group": true, "as-uid": true, "subresource": true, "raw": true,
	"watch": false, "watch-only": false, "all": false, "selector": true, "field-selector": true, "filename": true, "kustomize": true,
	"current-replicas": true, "resource-version": true, "list": false,

	"output": true, "sort-by": true, "label-columns": true, "template": true, "chunk-size": true, "show-labels": false, "no-headers": false,
	"show-kind": false, "show-managed-fields": false, "output-watch-events": false, "server-print": false, "ignore-not-found": false,
	"allow-missing-template-keys": false, "show-events": false,
	"context": true, "cluster": true, "user": true, "kubeconfig": true, "server": true, "token": true, "request-timeout": true, "v": true,
	"vmodule": true, "cache-dir": true, "certificate-authority": true, "client-certificate": true, "client-key": true,
	"insecure-skip-tls-verify": false, "tls-server-name": true, "username": true, "password": true, "as-user-extra": true,
	"warnings-as-errors": false, "match-server-version": false, "disable-compression": false,
	"dry-run": false, "server-side": false, "force-conflicts": false, "field-manager": true, "force": false, "now": false, "grace-period": true,
	"cascade": false, "wait": false, "timeout": true, "interactive": false, "prune": false, "overwrite": false, "local": false, "record": false,
	"save-config": false, "validate": false, "recursive": false, "type": true, "patch": true, "patch-file": true, "replicas": true,
	"image": true, "from": true, "from-literal": true, "from-file": true, "from-env-file": true, "verb": true, "resource": true,
	"role": true, "clusterrole": true, "serviceaccount": true, "group": true, "port": true, "schedule": true, "restart": true, "env": true,
	"labels": true, "annotations": true, "limits": true, "requests": true, "revision": true, "to-revision": true, "rm": false,
	"stdin": false, "tty": false, "quiet": false, "container": true, "containers": true, "follow": false, "previous": false,
	"timestamps": false, "all-containers": false, "all-pods": false, "prefix": false, "ignore-errors": false, "tail": true, "since": true,
	"since-time": true, "limit-bytes": true, "max-log-requests": true, "pod-running-timeout": true, "address": true,
}

// letters are the flags with one letter. Two of them mean another flag for logs.
var letters = map[rune]string{
	'A': "all-namespaces", 'n': "namespace", 'w': "watch", 'l': "selector", 'f': "filename", 'k': "kustomize", 'o': "output",
	'L': "label-columns", 's': "server", 'v': "v", 'i': "stdin", 't': "tty", 'q': "quiet", 'c': "container", 'p': "patch", 'R': "recursive",
	'e': "env",
}

var lettersOfLogs = map[rune]string{'f': "follow", 'p': "previous"}

// scan sorts the words of a command into flags and others. What follows a double dash is
// for the command that exec runs.
func (c *command) scan(words []word) {
	for i := 0; i < len(words) && !c.failed(); i++ {
		w := words[i]
		switch {
		case w.plain && w.text == "--":
			return
		case w.plain && isShell(w.text):
			c.at["line"] = w.column
			c.warn("line", fmt.Sprintf("what follows %s is for the shell, so it is ignored", w.text), "leave it out")
			return
		case strings.HasPrefix(w.text, "--"):
			name, value, has := strings.Cut(w.text[2:], "=")
			i += c.flag(name, value, has, w, words[i+1:])
		case strings.HasPrefix(w.text, "-") && len(w.text) > 1:
			i += c.letters(w, words[i+1:])
		default:
			c.words = append(c.words, w)
		}
	}
}

// isShell reports whether a shell takes a word for the end of the command.
func isShell(text string) bool {
	return slices.Contains([]string{"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "2>/dev/null", ">/dev/null"}, text)
}

// flag takes one flag with a long name, and returns how many of the next words belong to
// it.
func (c *command) flag(name, value string, has bool, w word, next []word) int {
	takes, known := flags[name]
	switch {
	case !known:
		c.at["line"] = w.column
		hint := "leave it out if it does not change the request"
		var names []string
		for f := range flags {
			names = append(names, f)
		}
		slices.Sort(names)
		if like := near(name, names); len(like) > 0 {
			hint = "near is --" + strings.Join(like, ", --") + "; otherwise " + hint
		}
		c.complain("line", fmt.Sprintf("the flag --%s is not known here", name), hint)
		return 0
	case !takes || has:
		c.set(name, value, w)
		return 0
	case len(next) == 0:
		c.at["line"] = w.column
		c.complain("line", fmt.Sprintf("the flag %s needs a value", w.text), "write it behind the flag")
		return 0
	}
	c.set(name, next[0].text, w)
	return 1
}

// letters takes flags of one letter, of which several without a value may stand together.
func (c *command) letters(w word, next []word) int {
	runes := []rune(w.text[1:])
	for i, letter := range runes {
		name, known := letters[letter]
		if of, ok := lettersOfLogs[letter]; ok && len(c.words) > 0 && c.words[0].text == "logs" {
			name = of
		}
		if !known {
			c.at["line"] = w.column
			c.complain("line", fmt.Sprintf("the flag -%c is not known here", letter), "leave it out if it does not change the request")
			return 0
		}
		if flags[name] {
			value := strings.TrimPrefix(string(runes[i+1:]), "=")
			return c.flag(name, value, i+1 < len(runes), w, next)
		}
		c.set(name, "", w)
	}
	return 0
}

// set takes the value of a flag over.
func (c *command) set(name, value string, w word) {
	on := value != "false"
	switch name {
	case "all-namespaces":
		c.all, c.at["request.namespace"] = on, w.column
	case "namespace":
		c.namespace, c.at["request.namespace"] = value, w.column
	case "as":
		c.user.Username, c.at["request.userInfo"] = value, w.column
	case "as-group":
		c.user.Groups, c.at["request.userInfo"] = append(c.user.Groups, value), w.column
	case "as-uid":
		c.user.UID, c.at["request.userInfo"] = value, w.column
	case "subresource":
		c.subresource, c.at["request.subresource"] = value, w.column
	case "raw":
		c.raw, c.at["request.path"] = value, w.column
	case "watch":
		c.watch = on
	case "watch-only":
		c.watchOnly = on
	case "all":
		c.every = on
	case "filename", "kustomize":
		c.file, c.at["file"] = value, w.column
	case "list":
		c.rules = on
	case "selector", "field-selector":
		c.selects = true
		c.ignore(w)
	case "current-replicas", "resource-version":
		c.precondition = true
	default:
		c.ignore(w)
	}
}

// ignore remembers a flag that does not change the answer.
func (c *command) ignore(w word) {
	name, _, _ := strings.Cut(w.text, "=")
	if !slices.Contains(c.ignored, name) {
		c.ignored = append(c.ignored, name)
	}
	if c.at["ignored"] == 0 {
		c.at["ignored"] = w.column
	}
}
