package apiserver

import (
	"flag"
	"fmt"
	"os"

	"k8s.io/klog/v2"
)

// redirectLog sends what klog writes, errors included, to a file. A server that starts on an empty etcd logs errors
// about things that it creates a moment later, which would only confuse whoever reads the output of a test.
func redirectLog(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create log: %w", err)
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	if err := flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL"}); err != nil {
		return fmt.Errorf("configure log: %w", err)
	}
	klog.SetOutput(file)
	return nil
}
