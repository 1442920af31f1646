import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { steadyHeap } from '../../base/process/asked-process.ts';
import { namesCompiledFlags } from '../../base/process/proc.ts';
import { compressionOf } from '../../base/wire/negotiated-tls.ts';
import { envoy } from './envoy.ts';
import { type ListenerPlan, type ManagedServer, managedServer, opensslLibrary } from './managed-server.ts';
import { haproxy, hitch, nginx, stunnel } from './nginx-fronts.ts';
import type { NodeSettings } from './node-server.ts';
import {
  agreedHeader,
  cipherList,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  ianaGroups,
  mostConnections,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';
import { apache, caddy, h2o, lighttpd } from './web-servers.ts';

/**
 * `net/http` of Go's standard library with the documents in memory, built from `go-server` by the Go that is found. Sessions are
 * resumed by tickets. Its suites are Go's own, and so is the order of its groups. Go has X25519MLKEM768 and HTTP/2 without TLS
 * since 1.24 (https://go.dev/doc/go1.24).
 */
const go = managedServer({
  name: 'go',
  parts: { go: { program: ['go'], file: ['/usr/local/go/bin/go'], package: 'golang-go' } },
  versionOf: (paths) => ({ program: paths.go, args: ['version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: (version) => ({
    name: `crypto/tls of Go ${version}`,
    groups: minorOf(version) >= 24 ? hybridGroups : classicalGroups,
    keys: classicalKeys,
    // Suites of `tls.CipherSuites()`.
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
  // The built program is in this program's own directory, which other users may be unable to read.
  dropsRoot: true,
  uncountable: 'Valgrind’s Callgrind fails at the signals of Go’s runtime.',
});

/** 26 of 1.26.8. */
function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

/** Settings for `go-server/main.go`. */
function configureGo(plan: ListenerPlan) {
  const { address, port, transport, workers, keepAlive, documents } = plan;
  const { identity, groups, resumption, clientAuthority } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  return {
    ...{ address, port, httpVersion, workers, documents, keepAlive, idleS: plan.idleS },
    ...{ witnessPath, resumedHeader: witnessHeader, agreedHeader },
    tls: encrypted ? { identity, groups, resumption, clientAuthority } : null,
  };
}

/**
 * Node's own servers with the documents in memory: `node:http`, `node:https` and `node:http2`. Sessions are resumed by
 * tickets. Without resumption it goes on sending those of TLS 1.3, which nobody can use.
 */
const node = managedServer({
  name: 'node',
  parts: { node: { file: [process.execPath], package: 'nodejs' } },
  versionOf: (paths) => ({ program: paths.node, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: () => opensslLibrary(process.versions.openssl ?? null),
  filesOf: (plan) => ({ 'settings.json': `${JSON.stringify(configureNode(plan), null, 2)}\n` }),
  commandOf: ({ directory, namesCompiled }, paths) => ({
    program: paths.node,
    args: [
      ...(namesCompiled ? namesCompiledFlags : []),
      ...steadyHeap,
      script,
      join(directory, 'settings.json'),
    ],
  }),
  compressesCertificates: true,
  // Its binary is in this program's own directory, which nobody else may have to be able to read.
  dropsRoot: true,
  uncountable: 'Node compiles its code while it runs, and Valgrind counts programs that are compiled before.',
});

const script = fileURLToPath(new URL('./node-server.ts', import.meta.url));

function configureNode(plan: ListenerPlan): NodeSettings {
  const { address, port, transport, workers, keepAlive, resumption } = plan;
  const { key, groups, documents, identity, clientAuthority } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  const ciphers = cipherList(key);
  const tls = { identity, ciphers, groups, resumption, clientAuthority, ...compressionOf(plan) };
  return {
    ...{ address, port, httpVersion, workers, documents },
    keepAliveMs: keepAlive ? plan.idleS * 1000 : null,
    tls: encrypted ? tls : null,
  };
}

/**
 * `com.sun.net.httpserver` of the JDK with the documents in memory, built from `jdk-server`. Its TLS is JSSE's. Sessions are resumed
 * by tickets. The virtual machine starts with one processor for each worker, and chooses its garbage collector by that.
 */
const jdk = managedServer({
  name: 'jdk',
  parts: {
    java: { program: ['java'], package: 'default-jre-headless' },
    javac: { program: ['javac'], package: 'default-jdk-headless' },
  },
  versionOf: (paths) => ({ program: paths.java, args: ['-version'] }),
  transports: ['http', 'https'],
  tls: (version) => ({
    name: `JSSE of JDK ${version}`,
    groups: classicalGroups,
    keys: classicalKeys,
    // JDK Providers Documentation, SunJSSE.
    suites: ecdheSuites('AES256-GCM-SHA384', 'AES128-GCM-SHA256', 'CHACHA20-POLY1305'),
  }),
  build: {
    sources: new URL('./jdk-server/', import.meta.url),
    filesOf: () => ({}),
    commandOf: (paths) => ({ program: paths.javac, args: ['-d', paths.built, 'Server.java'] }),
    environment: {},
  },
  filesOf: (plan) => ({ 'server.properties': configureJdk(plan), 'java.args': argumentsOf(plan) }),
  commandOf: ({ directory }, paths) => ({
    program: '/bin/sh',
    args: ['-c', start, paths.built, directory, paths.java],
  }),
  // The built program is in this program's own directory, which other users may be unable to read.
  dropsRoot: true,
  uncountable:
    'The JDK compiles its code while it runs, and Valgrind counts programs that are compiled before.',
});

/** Its arguments: what was built, the listener's directory, Java; and where it was started as root, the user and group to become. */
const start = `cp -r "$0" "$1/classes" && chmod -R a+rX "$1/classes" &&
exec \${3:+setpriv --reuid "$3" --regid "$4" --clear-groups} "$2" "@$1/java.args"`;

function argumentsOf(plan: ListenerPlan): string {
  const { directory, workers, resumption, groups, transport, namesCompiled } = plan;
  const lines = [
    `-XX:ActiveProcessorCount=${workers}`,
    // It makes no file of counters, which outlives a virtual machine that is killed.
    '-XX:-UsePerfData',
    // Without it, nobody finds the callers of what it has compiled.
    ...(namesCompiled ? ['-XX:+PreserveFramePointer'] : []),
    '-Dsun.net.httpserver.nodelay=true',
    // It asks for the name of every client of a TLS connection, which would go out to DNS and wait seconds for an answer.
    '-Djdk.net.hosts.file=/dev/null',
    `-Dsun.net.httpserver.idleInterval=${plan.idleS}`,
    `-Dsun.net.httpserver.maxIdleConnections=${mostConnections}`,
    ...(isEncrypted(transport) ? [`-Djdk.tls.namedGroups=${ianaGroups(groups).join(',')}`] : []),
    ...(resumption ? [] : [`-Djdk.tls.server.disableExtensions=${extensionsOfResumption}`]),
    `-cp "${join(directory, 'classes')}"`,
    'Server',
    `"${join(directory, 'server.properties')}"`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const extensionsOfResumption = 'pre_shared_key,psk_key_exchange_modes,session_ticket';

/** A thread waits for its client from the start of the handshake to the end of the answer. */
const threadsOfWorker = 8;

/** Settings for `jdk-server/Server.java`. */
function configureJdk(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, documents } = plan;
  const { identity, resumption, clientAuthority } = plan;
  const threads = workers * threadsOfWorker;
  const settings = {
    ...{ address, port, threads, documents, keepAlive, witnessPath, agreedHeader },
    ...(isEncrypted(transport) ? { identity, resumption } : {}),
    ...(isEncrypted(transport) && clientAuthority !== null ? { clientAuthority } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Servers that can be started here. A new one needs a file beside these, a line here, and its name in `shared/target/server-options.ts`. */
export const managedServers: Record<ServerName, ManagedServer> = {
  nginx,
  apache,
  lighttpd,
  caddy,
  h2o,
  haproxy,
  hitch,
  stunnel,
  envoy,
  go,
  jdk,
  node,
};
