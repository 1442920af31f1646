// The managed server "go": net/http of Go's standard library, with the documents in memory. Its arguments are the path
// of its settings and, where it was started as root, the user and group to become.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type settings struct {
	Address       string       `json:"address"`
	Port          int          `json:"port"`
	HttpVersion   string       `json:"httpVersion"`
	Workers       int          `json:"workers"`
	Documents     string       `json:"documents"`
	KeepAlive     bool         `json:"keepAlive"`
	IdleS         int          `json:"idleS"`
	WitnessPath   string       `json:"witnessPath"`
	ResumedHeader string       `json:"resumedHeader"`
	AgreedHeader  string       `json:"agreedHeader"`
	Tls           *tlsSettings `json:"tls"`
}

type tlsSettings struct {
	Identity   string `json:"identity"`
	Groups     string `json:"groups"`
	Resumption bool   `json:"resumption"`
	// Authority of clients, which then have to present a certificate.
	ClientAuthority *string `json:"clientAuthority"`
}

// By the names that OpenSSL gives them. What newer versions of Go know besides is added in files of their own.
var groups = map[string]tls.CurveID{"X25519": tls.X25519, "P-256": tls.CurveP256, "P-384": tls.CurveP384}

// Lets a server speak HTTP/2 without TLS.
var allowPlainHttp2 = func(*http.Server) { log.Fatal("Go's net/http speaks HTTP/2 without TLS from 1.24 on.") }

// The group that a connection's keys were agreed in; empty where this version of Go does not say.
var groupOf = func(*tls.ConnectionState) string { return "" }

func main() {
	log.SetFlags(0)
	if len(os.Args) > 3 {
		dropRoot(os.Args[2], os.Args[3])
	}
	var asked settings
	text := must(os.ReadFile(os.Args[1]))
	demand(json.Unmarshal(text, &asked))
	runtime.GOMAXPROCS(asked.Workers)
	server := &http.Server{
		Handler:     answers(asked),
		IdleTimeout: time.Duration(asked.IdleS) * time.Second,
	}
	server.SetKeepAlivesEnabled(asked.KeepAlive)
	listener := must(net.Listen("tcp", net.JoinHostPort(asked.Address, strconv.Itoa(asked.Port))))
	if asked.Tls == nil {
		if asked.HttpVersion == "2" {
			allowPlainHttp2(server)
		}
		log.Fatal(server.Serve(listener))
	}
	server.TLSConfig = configOf(*asked.Tls)
	if asked.HttpVersion != "2" {
		// An empty map, not a missing one, keeps net/http from adding HTTP/2.
		server.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	}
	log.Fatal(server.ServeTLS(listener, "", ""))
}

func answers(asked settings) http.HandlerFunc {
	pages := map[string][]byte{}
	for _, path := range must(filepath.Glob(filepath.Join(asked.Documents, "*.html"))) {
		pages["/"+filepath.Base(path)] = must(os.ReadFile(path))
	}
	return func(response http.ResponseWriter, request *http.Request) {
		header := response.Header()
		page, found := pages[request.URL.Path]
		if !found {
			if request.URL.Path == asked.WitnessPath && request.TLS != nil {
				header[asked.ResumedHeader] = []string{map[bool]string{false: "0", true: "1"}[request.TLS.DidResume]}
				header[asked.AgreedHeader] = []string{agreed(request.TLS)}
			}
			response.WriteHeader(http.StatusNotFound)
			return
		}
		header.Set("Content-Type", "text/html")
		header.Set("Content-Length", strconv.Itoa(len(page)))
		response.Write(page)
	}
}

// Version, suite and group, as far as they are known.
func agreed(state *tls.ConnectionState) string {
	version := map[uint16]string{tls.VersionTLS12: "TLSv1.2", tls.VersionTLS13: "TLSv1.3"}[state.Version]
	return strings.TrimSpace(version + " " + tls.CipherSuiteName(state.CipherSuite) + " " + groupOf(state))
}

func configOf(asked tlsSettings) *tls.Config {
	pem := must(os.ReadFile(asked.Identity))
	identity := must(tls.X509KeyPair(pem, pem))
	config := &tls.Config{
		Certificates:           []tls.Certificate{identity},
		MinVersion:             tls.VersionTLS12,
		SessionTicketsDisabled: !asked.Resumption,
	}
	for _, name := range strings.Split(asked.Groups, ":") {
		if group, known := groups[name]; known {
			config.CurvePreferences = append(config.CurvePreferences, group)
		}
	}
	if asked.ClientAuthority != nil {
		config.ClientCAs = x509.NewCertPool()
		config.ClientCAs.AppendCertsFromPEM(must(os.ReadFile(*asked.ClientAuthority)))
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return config
}

func dropRoot(user, group string) {
	demand(syscall.Setgroups([]int{}))
	demand(syscall.Setgid(must(strconv.Atoi(group))))
	demand(syscall.Setuid(must(strconv.Atoi(user))))
}

func must[Value any](value Value, err error) Value {
	demand(err)
	return value
}

func demand(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
