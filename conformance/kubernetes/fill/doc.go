// Package fill measures how long Ambit takes to read the objects of a real API server, beside bare lists of the same
// objects. Both run in a process of their own, so that the memory and the pauses of the server are not theirs:
//
//	go test ./fill -run '^$' -bench Fill -benchtime 1x
package fill
