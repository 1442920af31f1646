//go:build go1.25

package main

import "crypto/tls"

func init() {
	groupOf = func(state *tls.ConnectionState) string {
		for name, group := range groups {
			if group == state.CurveID {
				return name
			}
		}
		return ""
	}
}
