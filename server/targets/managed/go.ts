import { join } from 'node:path';
import { transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  idleS,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

/**
 * `net/http` of Go's standard library with the documents in memory, built from `go-server` by the Go that is found. Sessions are
 * resumed by tickets. Its suites are Go's own, and so is the order of its groups. Go has X25519MLKEM768 and HTTP/2 without TLS
 * since 1.24 (https://go.dev/doc/go1.24).
 */
export const go = managedServer({
  name: 'go',
  parts: { go: { program: ['go'], file: ['/usr/local/go/bin/go'], package: 'golang-go' } },
  versionOf: (paths) => ({ program: paths.go, args: ['version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: (version) => ({
    name: `crypto/tls of Go ${version}`,
    groups: minorOf(version) >= 24 ? hybridGroups : classicalGroups,
    keys: classicalKeys,
    // Those of `tls.CipherSuites()`.
    suites: ecdheSuites(
      ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305', 'AES128-SHA', 'AES256-SHA'],
    ),
  }),
  build: {
    sources: new URL('./go-server/', import.meta.url),
    // An older version in `go.mod` would turn settings of this one back.
    filesOf: (version) => ({ 'go.mod': `module server\n\ngo 1.${minorOf(version)}\n` }),
    commandOf: (paths) => ({
      program: paths.go,
      args: ['build', '-buildvcs=false', '-o', paths.built, '.'],
    }),
    // It downloads nothing, and needs no C compiler.
    environment: { GOTOOLCHAIN: 'local', GOPROXY: 'off', GOENV: 'off', CGO_ENABLED: '0' },
  },
  filesOf: (plan) => ({ 'settings.json': `${JSON.stringify(configureGo(plan), null, 2)}\n` }),
  commandOf: ({ directory }, paths) => ({
    program: paths.built,
    args: [join(directory, 'settings.json')],
  }),
  // What was built is in this program's own directory, which nobody else may have to be able to read.
  dropsRoot: true,
  uncountable: 'Valgrind’s Callgrind fails at the signals of Go’s runtime.',
});

/** 26 of 1.26.8. */
function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

/** What `go-server/main.go` reads. */
function configureGo(plan: ListenerPlan) {
  const { address, port, transport, workers, keepAlive, documents } = plan;
  const { identity, groups, resumption, clientAuthority } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  return {
    ...{ address, port, httpVersion, workers, documents, keepAlive, idleS },
    ...{ witnessPath, resumedHeader: witnessHeader, agreedHeader },
    tls: encrypted ? { identity, groups, resumption, clientAuthority } : null,
  };
}
