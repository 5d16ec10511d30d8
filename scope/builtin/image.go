package builtin

import "regexp"

// The grammar of image names, after github.com/distribution/reference, which the API server reads them with.
const (
	domainPart = `[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?`
	host       = `(?:` + domainPart + `(?:\.` + domainPart + `)*|\[[a-fA-F0-9:]+\])`
	pathPart   = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`
	tagPart    = `[\w][\w.-]{0,127}`
	digestPart = `(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})`
)

var (
	// imageName matches the names that the API server can parse, and captures the tag and the digest.
	imageName = regexp.MustCompile(`^(?:` + host + `(?::[0-9]+)?/)?` + pathPart + `(?:/` + pathPart + `)*(:` + tagPart + `)?(@` + digestPart + `)?$`)
	// hexadecimalID matches what would be mistaken for the identifier of an image, and therefore is no name.
	hexadecimalID = regexp.MustCompile(`^[a-f0-9]{64}$`)
)
