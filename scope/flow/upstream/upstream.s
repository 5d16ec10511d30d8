// This file lets upstream.go declare a function without a body.
