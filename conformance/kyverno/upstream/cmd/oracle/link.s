// Functions without a body, as those of link.go, are allowed in a package that has an assembly file.
