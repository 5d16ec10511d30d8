// Package known holds what Ambit had to write down by hand, because upstream does not
// export it to libraries, to the Kubernetes source it was read from.
package known
