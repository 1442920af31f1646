//go:build go1.24

package main

import (
	"crypto/tls"
	"net/http"
)

func init() {
	groups["X25519MLKEM768"] = tls.X25519MLKEM768
	allowPlainHttp2 = func(server *http.Server) {
		server.Protocols = new(http.Protocols)
		server.Protocols.SetUnencryptedHTTP2(true)
	}
}
