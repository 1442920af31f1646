import { dirname, join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { levelFor, noTickets, openSslSettings, ticketsIn } from './nginx-fronts.ts';
import {
  agreedHeader,
  cipherList,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  ianaGroups,
  isAtLeast,
  mostConnections,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

const apacheModules = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/lib/httpd/modules'];

export const apache = managedServer({
  name: 'apache',
  parts: {
    apache: { program: ['apache2', 'httpd'], package: 'apache2-bin' },
    ssl: { file: apacheModules.map((each) => join(each, 'mod_ssl.so')), package: 'apache2-bin' },
  },
  versionOf: (paths) => ({ program: paths.apache, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'ssl',
  sets: ['tickets'],
  filesOf: (plan, paths) => ({ 'httpd.conf': configureApache(plan, dirname(paths.ssl)) }),
  commandOf: ({ directory }, paths) => ({
    program: paths.apache,
    args: ['-d', directory, '-f', join(directory, 'httpd.conf'), '-DFOREGROUND'],
  }),
});

/** A connection that has not asked for anything yet holds one; as many are opened ahead as ask at a time. */
const threadsPerWorker = 512;

/**
 * Event MPM: a worker is a process with threads, and idle connections need none. Its full name would tell OpenSSL's where it
 * has loaded that, and make the headers of the two sides differ.
 */
function configureApache(plan: ListenerPlan, modules: string): string {
  const { address, port, transport, hostname, workers, keepAlive, directory, documents, errorLog } = plan;
  const encrypted = isEncrypted(transport);
  const http2 = transportFacts[transport].httpVersion === '2';
  const loaded = [
    'mpm_event',
    'authz_core',
    'mime',
    'headers',
    ...(encrypted ? ['ssl', 'socache_shmcb'] : []),
    ...(http2 ? ['http2'] : []),
  ];
  return `${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
ServerName ${hostname}
ServerTokens Prod
Listen ${address}:${port}
PidFile ${directory}/httpd.pid
DefaultRuntimeDir ${directory}
Mutex pthread default
ErrorLog ${errorLog}
LogLevel warn
ServerLimit ${workers}
StartServers ${workers}
ThreadLimit ${threadsPerWorker}
ThreadsPerChild ${threadsPerWorker}
MaxRequestWorkers ${workers * threadsPerWorker}
MinSpareThreads 1
MaxSpareThreads ${(workers + 1) * threadsPerWorker}
MaxConnectionsPerChild 0
AsyncRequestWorkerFactor ${mostConnections / threadsPerWorker}
KeepAlive ${keepAlive ? 'On' : 'Off'}
KeepAliveTimeout ${plan.idleS}
MaxKeepAliveRequests 0
Protocols ${http2 ? (encrypted ? 'h2 ' : 'h2c ') : ''}http/1.1
TypesConfig /dev/null
AddType text/html .html
DocumentRoot ${documents}
<Directory ${documents}>
  AllowOverride None
  Options None
  Require all granted
</Directory>
<Location ${witnessPath}>
  Header always set ${witnessHeader} "%{SSL_SESSION_RESUMED}s"
  Header always set ${agreedHeader} "%{SSL_PROTOCOL}s %{SSL_CIPHER}s"
</Location>
${encrypted ? apacheEncryption(plan) : ''}`;
}

function apacheEncryption(plan: ListenerPlan): string {
  const { identity, key, groups, resumption, clientAuthority, directory } = plan;
  return `SSLEngine on
SSLCertificateFile ${identity}
SSLProtocol -all +TLSv1.2 +TLSv1.3
SSLCipherSuite ${cipherList(key)}
SSLHonorCipherOrder off
SSLOpenSSLConfCmd Curves ${groups}
SSLSessionTickets ${resumption ? 'on' : 'off'}
${
  resumption
    ? `SSLSessionCache shmcb:${directory}/sessions(4194304)\nSSLSessionCacheTimeout 3600`
    : 'SSLSessionCache none'
}
${ticketsIn(plan)
  .map((number) => `SSLOpenSSLConfCmd NumTickets ${number}`)
  .join('')}
${clientAuthority === null ? '' : `SSLCACertificateFile ${clientAuthority}\nSSLVerifyClient require\n`}`;
}

const lighttpdModules = ['/usr/lib/lighttpd', '/usr/lib64/lighttpd'];

export const lighttpd = managedServer({
  name: 'lighttpd',
  parts: {
    lighttpd: { program: ['lighttpd'], package: 'lighttpd' },
    openssl: {
      file: lighttpdModules.map((each) => join(each, 'mod_openssl.so')),
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
server.max-keep-alive-idle = ${plan.idleS}
server.max-read-idle = ${plan.idleS}
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
 * h2o serving files, a thread for each worker. It has no setting for groups, client certificates, or the end of a connection after
 * its response (documentation of h2o 2.2): the groups are told to its OpenSSL, the others it cannot.
 */
export const h2o = managedServer({
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
${transportFacts[transport].httpVersion === '2' ? `http2-idle-timeout: ${plan.idleS}` : `http1-request-timeout: ${plan.idleS}`}
error-log: ${errorLog}
file.etag: OFF
file.mime.settypes:
  text/html: .html
ssl-session-resumption:
  mode: ${resumption ? 'all' : 'off'}
listen:
  host: ${address}
  port: ${port}
${isEncrypted(transport) ? h2oEncryption(plan) : ''}hosts:
  default:
    paths:
      /:
        file.dir: ${documents}
`;
}

/** Its stapling starts a program of its own for every certificate. */
function h2oEncryption({ identity, key }: ListenerPlan): string {
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
 * Caddy serving files, with the certificate it is given and nothing of its own: no administration, no authority, no redirects. Its
 * TLS is Go's, with X25519MLKEM768 since Caddy 2.10 (its release notes). Sessions are resumed by tickets.
 */
export const caddy = managedServer({
  name: 'caddy',
  http3: true,
  parts: { caddy: { program: ['caddy'], package: 'caddy' } },
  versionOf: (paths) => ({ program: paths.caddy, args: ['version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  uncountable: 'Valgrind’s Callgrind fails at the signals of Go’s runtime.',
  tls: (version) => ({
    name: 'crypto/tls of Go',
    groups: isAtLeast(version, 2, 10) ? hybridGroups : classicalGroups,
    keys: classicalKeys,
    // The default suites, according to Caddy's documentation of `ciphers`.
    suites: ecdheSuites('AES256-GCM-SHA384', 'AES128-GCM-SHA256', 'CHACHA20-POLY1305'),
  }),
  filesOf: (plan) => ({ 'caddy.json': `${JSON.stringify(configureCaddy(plan), null, 2)}\n` }),
  commandOf: ({ directory, workers }, paths) => ({
    program: '/usr/bin/env',
    args: [
      ...[`GOMAXPROCS=${workers}`, `HOME=${directory}`, `XDG_DATA_HOME=${directory}`],
      ...[paths.caddy, 'run', '--config', join(directory, 'caddy.json')],
    ],
  }),
});

function configureCaddy(plan: ListenerPlan) {
  const { address, port, transport, http3, directory, documents } = plan;
  const { errorLog, identity, resumption, keepAlive } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  const close = keepAlive ? {} : { Connection: ['close'] };
  const headers = { handler: 'headers', response: { set: { 'Content-Type': ['text/html'], ...close } } };
  const ofTwo = encrypted ? 'h2' : 'h2c';
  return {
    admin: { disabled: true, config: { persist: false } },
    storage: { module: 'file_system', root: directory },
    logging: { logs: { default: { writer: { output: 'file', filename: errorLog }, level: 'WARN' } } },
    apps: {
      http: {
        servers: {
          listener: {
            listen: [`${address}:${port}`],
            // Only with h3 does it offer that by Alt-Svc, so browsers speak what their side is for.
            protocols: ['h1', ...(httpVersion === '2' ? [ofTwo] : []), ...(http3 ? ['h3'] : [])],
            idle_timeout: `${plan.idleS}s`,
            automatic_https: { disable: true },
            routes: [
              { match: [{ path: [witnessPath] }], handle: [versionWords, witness], terminal: true },
              { handle: [headers, { handler: 'file_server', root: documents }] },
            ],
            // Else it refuses an address as the name of the host, once clients have certificates.
            strict_sni_host: false,
            ...(encrypted ? { tls_connection_policies: [policyOf(plan)] } : {}),
          },
        },
      },
      ...(encrypted
        ? {
            tls: {
              certificates: { load_files: [{ certificate: identity, key: identity, format: 'pem' }] },
              session_tickets: { disabled: !resumption },
            },
          }
        : {}),
    },
  };
}

/** It calls versions and whether a session was resumed by names of its own. */
const versionWords = {
  handler: 'map',
  source: '{http.request.tls.version}',
  destinations: ['{agreed_version}'],
  mappings: ['1.2', '1.3'].map((each) => ({ input: `tls${each}`, outputs: [`TLSv${each}`] })),
};

const witness = {
  handler: 'static_response',
  status_code: 204,
  headers: {
    [witnessHeader]: ['{http.request.tls.resumed}'],
    [agreedHeader]: ['{agreed_version} {http.request.tls.cipher_suite}'],
  },
};

function policyOf({ transport, groups, hostname, clientAuthority }: ListenerPlan) {
  return {
    alpn: [transportFacts[transport].alpn],
    protocol_min: 'tls1.2',
    protocol_max: 'tls1.3',
    default_sni: hostname,
    curves: ianaGroups(groups),
    ...(clientAuthority === null
      ? {}
      : {
          client_authentication: {
            trusted_ca_certs_pem_files: [clientAuthority],
            mode: 'require_and_verify',
          },
        }),
  };
}
