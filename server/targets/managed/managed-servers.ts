import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { steadyHeap } from '../../base/process/asked-process.ts';
import { namesCompiledFlags } from '../../base/process/proc.ts';
import { apache, jdk } from './apache.ts';
import {
  caddy,
  configureInner,
  configureNginx,
  haproxy,
  levelFor,
  nginx,
  nginxBehind,
  noTickets,
  openSslSettings,
  startInFront,
  startNginx,
} from './caddy.ts';
import { envoy } from './envoy.ts';
import { type ListenerPlan, type ManagedServer, managedServer, openssl } from './managed-server.ts';
import type { NodeSettings } from './node-server.ts';
import {
  agreedHeader,
  cipherList,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  idleS,
  isWeak,
  mostConnections,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

const moduleDirectories = ['/usr/lib/lighttpd', '/usr/lib64/lighttpd'];

const lighttpd = managedServer({
  name: 'lighttpd',
  parts: {
    lighttpd: { program: ['lighttpd'], package: 'lighttpd' },
    openssl: {
      file: moduleDirectories.map((each) => join(each, 'mod_openssl.so')),
      package: 'lighttpd-mod-openssl',
    },
  },
  versionOf: (paths) => ({ program: paths.lighttpd, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'openssl',
  filesOf: (plan) => ({ 'lighttpd.conf': configureLighttpd(plan) }),
  commandOf: ({ directory }, paths) => ({
    program: paths.lighttpd,
    args: ['-D', '-f', join(directory, 'lighttpd.conf')],
  }),
});

/**
 * Its count of requests on a connection has 16 bits, so each is closed after 65,535. Sessions are resumed by tickets: it
 * has no cache for them.
 */
function configureLighttpd(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, directory, documents, errorLog } = plan;
  const http2 = transportFacts[transport].httpVersion === '2' ? 'enable' : 'disable';
  return `server.compat-module-load = "disable"
server.modules = ( "mod_staticfile"${isEncrypted(transport) ? ', "mod_openssl"' : ''} )
server.document-root = "${documents}"
server.bind = "${address}"
server.port = ${port}
server.errorlog = "${errorLog}"
server.upload-dirs = ( "${directory}" )
${workers > 1 ? `server.max-worker = ${workers}\n` : ''}server.max-fds = ${2 * mostConnections}
server.max-connections = ${mostConnections}
server.max-keep-alive-requests = ${keepAlive ? 65535 : 0}
server.max-keep-alive-idle = ${idleS}
server.max-read-idle = ${idleS}
server.feature-flags = ( "server.h2proto" => "${http2}", "server.h2c" => "${http2}" )
mimetype.assign = ( ".html" => "text/html" )
${isEncrypted(transport) ? lighttpdEncryption(plan) : ''}`;
}

function lighttpdEncryption({ identity, key, groups, resumption, clientAuthority }: ListenerPlan): string {
  const commands = {
    MinProtocol: 'TLSv1.2',
    CipherString: cipherList(key),
    Curves: groups,
    Options: `-ServerPreference,${resumption ? '' : '-'}SessionTicket`,
    ...(resumption ? {} : { NumTickets: '0' }),
  };
  const list = Object.entries(commands).map(([name, value]) => `  "${name}" => "${value}"`);
  return `ssl.engine = "enable"
ssl.pemfile = "${identity}"
ssl.openssl.ssl-conf-cmd = (
${list.join(',\n')}
)
${clientAuthority === null ? '' : demandingCertificates(clientAuthority)}`;
}

function demandingCertificates(authority: string): string {
  return `ssl.verifyclient.activate = "enable"
ssl.verifyclient.enforce = "enable"
ssl.verifyclient.ca-file = "${authority}"
`;
}

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

/**
 * h2o serving files, a thread for each worker. It has no setting for groups, client certificates, or the end of a connection after
 * its response (documentation of h2o 2.2): the groups are told to its OpenSSL, the others it cannot.
 */
const h2o = managedServer({
  name: 'h2o',
  parts: { h2o: { program: ['h2o'], package: 'h2o' } },
  versionOf: (paths) => ({ program: paths.h2o, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  uncountable: 'Over TLS, h2o keeps its key in a process that no other program may look into.',
  tls: 'h2o',
  lacks: ['closing', 'clientCertificates'],
  filesOf: (plan) => ({
    'h2o.yaml': configureH2o(plan),
    ...(isEncrypted(plan.transport) ? { 'openssl.cnf': opensslOf(plan) } : {}),
  }),
  commandOf: ({ directory }, paths) => ({
    program: '/usr/bin/env',
    args: [`OPENSSL_CONF=${join(directory, 'openssl.cnf')}`, paths.h2o, '-c', join(directory, 'h2o.yaml')],
  }),
});

function opensslOf(plan: ListenerPlan): string {
  return openSslSettings({
    Groups: plan.groups,
    ...levelFor(plan),
    ...(plan.resumption ? {} : noTickets),
  });
}

function configureH2o(plan: ListenerPlan): string {
  const { address, port, transport, workers, documents, errorLog, resumption } = plan;
  return `num-threads: ${workers}
max-connections: ${mostConnections}
${transportFacts[transport].httpVersion === '2' ? `http2-idle-timeout: ${idleS}` : `http1-request-timeout: ${idleS}`}
error-log: ${errorLog}
file.etag: OFF
file.mime.settypes:
  text/html: .html
ssl-session-resumption:
  mode: ${resumption ? 'all' : 'off'}
listen:
  host: ${address}
  port: ${port}
${isEncrypted(transport) ? encryption(plan) : ''}hosts:
  default:
    paths:
      /:
        file.dir: ${documents}
`;
}

/** Its stapling starts a program of its own for every certificate. */
function encryption({ identity, key }: ListenerPlan): string {
  return `  ssl:
    certificate-file: ${identity}
    key-file: ${identity}
    minimum-version: TLSv1.2
    cipher-suite: "${cipherList(key)}"
    cipher-preference: client
    ocsp-update-interval: 0
`;
}

/**
 * Ends TLS in front of an nginx of its own and hands on what is inside, so it has nothing to do without TLS: that listener is
 * the nginx alone.
 */
const hitch = managedServer({
  name: 'hitch',
  parts: { hitch: { program: ['hitch'], package: 'hitch' }, nginx: nginxBehind },
  versionOf: (paths) => ({ program: paths.hitch, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'hitch',
  filesOf: (plan) =>
    isEncrypted(plan.transport)
      ? {
          'hitch.conf': configureHitch(plan),
          'openssl.cnf': openSslSettings({ ...levelFor(plan), ...(plan.resumption ? {} : noTickets) }),
          ...configureInner(plan, { transport: clearOf(plan), keepAlive: plan.keepAlive }),
        }
      : { 'nginx.conf': configureNginx(plan) },
  commandOf(plan, paths) {
    if (!isEncrypted(plan.transport)) return startNginx(plan, paths);
    const config = (name: string) => join(plan.directory, name);
    const args = [`OPENSSL_CONF=${config('openssl.cnf')}`, paths.hitch, '--config', config('hitch.conf')];
    return startInFront({ program: 'env', args }, paths.nginx, plan);
  },
});

/** What it hands on. */
function clearOf({ transport }: ListenerPlan) {
  return transportFacts[transport].httpVersion === '2' ? 'h2c' : 'http';
}

/** Sessions are resumed by tickets, and within a worker by their numbers. */
function configureHitch(plan: ListenerPlan): string {
  const { address, port, innerPort, workers, transport, identity, key, groups, errorLog } = plan;
  return `frontend = "[${address}]:${port}"
backend = "[${address}]:${innerPort}"
pem-file = "${identity}"
workers = ${workers}
backlog = ${mostConnections}
keepalive = ${idleS}
tls-protos = TLSv1.2 TLSv1.3
ciphers = "${cipherList(key)}"
prefer-server-ciphers = off
ecdh-curve = "${groups}"
alpn-protos = "${transportFacts[transport].alpn}"
log-filename = "${errorLog}"
${demand(plan)}`;
}

function demand({ clientAuthority }: ListenerPlan): string {
  return clientAuthority === null
    ? ''
    : `client-verify = required\nclient-verify-ca = "${clientAuthority}"\n`;
}

/**
 * As hitch, in front of an nginx of its own, with a thread for every connection: the number of workers is nginx's alone. A server
 * of it offers no protocol by ALPN, so it has no HTTP/2.
 */
const stunnel = managedServer({
  name: 'stunnel',
  parts: { stunnel: { program: ['stunnel', 'stunnel4'], package: 'stunnel4' }, nginx: nginxBehind },
  versionOf: (paths) => ({ program: paths.stunnel, args: ['-version'] }),
  transports: ['http', 'https'],
  tls: 'stunnel',
  filesOf: (plan) =>
    isEncrypted(plan.transport)
      ? {
          'stunnel.conf': configureStunnel(plan),
          ...configureInner(plan, { transport: 'http', keepAlive: plan.keepAlive }),
        }
      : { 'nginx.conf': configureNginx(plan) },
  commandOf(plan, paths) {
    if (!isEncrypted(plan.transport)) return startNginx(plan, paths);
    const args = [join(plan.directory, 'stunnel.conf')];
    return startInFront({ program: paths.stunnel, args }, paths.nginx, plan);
  },
});

function configureStunnel(plan: ListenerPlan): string {
  const { address, port, innerPort, identity, key, groups, resumption, clientAuthority, errorLog } = plan;
  return `foreground = yes
pid =
syslog = no
debug = err
output = ${errorLog}
[listener]
accept = ${address}:${port}
connect = ${address}:${innerPort}
cert = ${identity}
key = ${identity}
sslVersionMin = TLSv1.2
ciphers = ${cipherList(key)}
curves = ${groups}
TIMEOUTidle = ${idleS}
${isWeak(key) ? 'securityLevel = 0\n' : ''}${resumption ? 'sessionCacheTimeout = 3600\n' : 'sessionResume = no\noptions = NO_TICKET\nconfig = NumTickets:0\n'}${clientAuthority === null ? '' : `requireCert = yes\nverifyChain = yes\nCAfile = ${clientAuthority}\n`}`;
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
  tls: () => openssl(process.versions.openssl ?? null),
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
  // Its binary is in this program's own directory, which nobody else may have to be able to read.
  dropsRoot: true,
  uncountable: 'Node compiles its code while it runs, and Valgrind counts programs that are compiled before.',
});

const script = fileURLToPath(new URL('./node-server.ts', import.meta.url));

function configureNode(plan: ListenerPlan): NodeSettings {
  const { address, port, transport, workers, keepAlive, resumption } = plan;
  const { key, groups, documents, identity, clientAuthority } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  return {
    ...{ address, port, httpVersion, workers, documents },
    keepAliveMs: keepAlive ? idleS * 1000 : null,
    tls: encrypted ? { identity, ciphers: cipherList(key), groups, resumption, clientAuthority } : null,
  };
}

/** Those that can be started here. Another one is a file beside these, its line here, and its name in `shared/target/target.ts`. */
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
