package apiserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd runs one etcd member in this process, on free loopback ports, with its data and its log below dir.
// It returns the URL for clients and a function that stops the member.
func startEtcd(ctx context.Context, dir string) (endpoint string, stop func(), err error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.LogLevel = "error"
	config.LogOutputs = []string{filepath.Join(dir, "etcd.log")}
	config.UnsafeNoFsync = true // The data lives no longer than the process.

	member, err := embed.StartEtcd(config)
	if err != nil {
		return "", nil, fmt.Errorf("start etcd: %w", err)
	}
	select {
	case <-member.Server.ReadyNotify():
		return "http://" + member.Clients[0].Addr().String(), member.Close, nil
	case err = <-member.Err():
	case <-ctx.Done():
		err = ctx.Err()
	}
	member.Close()
	return "", nil, fmt.Errorf("wait for etcd: %w", err)
}
