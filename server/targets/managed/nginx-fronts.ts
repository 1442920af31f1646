import { join } from 'node:path';
import { isEncrypted, type Transport, transportFacts } from '../../../shared/base/transport.ts';
import { type Command, type Files, type ListenerPlan, managedServer, type Paths } from './managed-server.ts';
import {
  agreedHeader,
  cipherList,
  isWeak,
  mostConnections,
  proxyErrorHeader,
  proxyErrors,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

export const nginx = managedServer({
  name: 'nginx',
  parts: { nginx: { program: ['nginx'], package: 'nginx-light' } },
  versionOf: (paths) => ({ program: paths.nginx, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'nginx',
  kTls: true,
  sets: ['tickets', 'recordSize'],
  filesOf: (plan) => ({ 'nginx.conf': configureNginx(plan) }),
  commandOf: startNginx,
});

function startNginx({ directory, errorLog }: ListenerPlan, { nginx }: Paths<'nginx'>): Command {
  return { program: nginx, args: ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', errorLog] };
}

/** The connections and files of the main context are those that Debian's nginx.conf has. */
function configureNginx(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, directory, documents, errorLog } = plan;
  const version = transportFacts[transport].httpVersion === '2' ? ' http2' : '';
  return `daemon off;
worker_processes ${workers};
pid ${directory}/nginx.pid;
error_log ${errorLog} warn;
events {
  worker_connections ${2 * mostConnections};
}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  types {
    text/html html;
  }
  keepalive_timeout ${keepAlive ? plan.idleS : 0};
  keepalive_requests 1000000000;
${temporaryPaths.map((name) => `  ${name}_temp_path ${directory}/${name};`).join('\n')}
  server {
    listen ${address}:${port}${isEncrypted(transport) ? ' ssl' : ''}${version};
    root ${documents};
    location = ${witnessPath} {
      add_header ${witnessHeader} $ssl_session_reused;
      add_header ${agreedHeader} "$ssl_protocol $ssl_cipher${groupOf(plan)}";
      return 204;
    }
${isEncrypted(transport) ? encryption(plan) : ''}  }
}
`;
}

/** A variable since 1.21.5, which is older than the first OpenSSL with such a group; an older nginx would not start with it. */
function groupOf({ groups }: ListenerPlan): string {
  return groups.includes('MLKEM') ? ' $ssl_curve' : '';
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

function encryption(plan: ListenerPlan): string {
  const { identity, key, groups, resumption, clientAuthority, kTls, recordSize } = plan;
  const lines = [
    `ssl_certificate ${identity}`,
    `ssl_certificate_key ${identity}`,
    'ssl_protocols TLSv1.2 TLSv1.3',
    `ssl_ciphers ${cipherList(key)}`,
    'ssl_prefer_server_ciphers off',
    `ssl_ecdh_curve ${groups}`,
    `ssl_session_tickets ${resumption ? 'on' : 'off'}`,
    ...(clientAuthority === null
      ? []
      : [`ssl_client_certificate ${clientAuthority}`, 'ssl_verify_client on']),
    ...(kTls ? ['ssl_conf_command Options KTLS'] : []),
    ...(recordSize === null ? [] : [`ssl_buffer_size ${recordSize}`]),
    ...(resumption
      ? ['ssl_session_cache shared:sessions:4m', 'ssl_session_timeout 1h']
      : ['ssl_session_cache off']),
    ...ticketsIn(plan).map((number) => `ssl_conf_command NumTickets ${number}`),
  ];
  return lines.map((line) => `    ${line};\n`).join('');
}

/**
 * How many tickets of TLS 1.3 a configuration of OpenSSL asks for: one number, or none where its own holds. Without resumption, OpenSSL
 * would go on sending tickets that nobody can use.
 */
export function ticketsIn({ resumption, tickets }: ListenerPlan): number[] {
  if (!resumption) return [0];
  return tickets === null ? [] : [tickets];
}

/** The nginx behind a server that serves no documents of its own. */
const nginxBehind = { program: ['nginx'], package: 'nginx-light' };

/** An nginx of its own for the server in front of it. */
function configureInner(plan: ListenerPlan, change: { transport: Transport; keepAlive: boolean }): Files {
  return { 'nginx.conf': configureNginx({ ...plan, ...change, port: plan.innerPort }) };
}

/** Starts both in one process tree, whose root is the server in front. */
function startInFront(front: Command, nginx: string, { directory, errorLog }: ListenerPlan): Command {
  const script = '"$0" -p "$1" -c "$1/nginx.conf" -e "$2" & shift 2; exec "$@"';
  return {
    program: '/bin/sh',
    args: ['-c', script, nginx, directory, errorLog, front.program, ...front.args],
  };
}

/**
 * OpenSSL settings for which a server has none of its own, in a separate file: the level that a weak key needs, read before the certificate
 * is, and no tickets.
 */
export function openSslSettings(lines: Record<string, string>): string {
  return `openssl_conf = defaults
[defaults]
ssl_conf = connections
[connections]
system_default = every
[every]
${Object.entries(lines)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`;
}

const lowestLevel = { CipherString: 'DEFAULT:@SECLEVEL=0' };
export const noTickets = { Options: '-SessionTicket', NumTickets: '0' };

export function levelFor({ key }: ListenerPlan): Record<string, string> {
  return isWeak(key) ? lowestLevel : {};
}

/**
 * In front of an nginx of its own, unless it is given an application to stand in front of, to which it speaks plain HTTP/1.1 on connections that stay open. One process tree, with
 * HAProxy as its root.
 */
export const haproxy = managedServer({
  name: 'haproxy',
  parts: {
    haproxy: { program: ['haproxy'], package: 'haproxy' },
    nginx: nginxBehind,
  },
  versionOf: (paths) => ({ program: paths.haproxy, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'haproxy',
  asProxy: ['haproxy'],
  filesOf: (plan) => ({
    'haproxy.cfg': configureHaproxy(plan),
    ...(isWeak(plan.key) ? { 'openssl.cnf': openSslSettings(lowestLevel) } : {}),
    ...(plan.upstream === null ? configureInner(plan, { transport: 'http', keepAlive: true }) : {}),
  }),
  commandOf: (plan, paths) => {
    const command = {
      program: 'env',
      args: [
        // It loads the certificate before it reads a level from its list of suites.
        ...(isWeak(plan.key) ? [`OPENSSL_CONF=${join(plan.directory, 'openssl.cnf')}`] : []),
        ...[paths.haproxy, '-db', '-f', join(plan.directory, 'haproxy.cfg')],
      ],
    };
    return plan.upstream === null ? startInFront(command, paths.nginx, plan) : command;
  },
});

/** Without resumption it goes on sending tickets of TLS 1.3, which nobody can use: it has no setting for their number. */
function configureHaproxy(plan: ListenerPlan): string {
  const { address, port, workers, keepAlive, idleS, resumption, key, groups } = plan;
  return `global
  nbthread ${workers}
  maxconn ${mostConnections}
  no strict-limits
  tune.ssl.cachesize ${resumption ? 20000 : 0}
  tune.ssl.lifetime 3600
  ssl-default-bind-options ssl-min-ver TLSv1.2 prefer-client-ciphers${resumption ? '' : ' no-tls-tickets'}
  ssl-default-bind-ciphers ${cipherList(key)}
  ssl-default-bind-curves ${groups}
defaults
  mode http
  timeout connect 5s
  timeout client ${idleS}s
  timeout server ${idleS}s
  timeout http-keep-alive ${idleS}s
${ownErrors(plan)}frontend listener
  bind ${address}:${port}${bindOptions(plan)}
  http-request return status 200 hdr ${witnessHeader} %[ssl_fc_is_resumed] hdr ${agreedHeader} "%[ssl_fc_protocol] %[ssl_fc_cipher]" if { path ${witnessPath} }
  ${keepAlive ? 'option http-keep-alive' : 'option httpclose'}
  default_backend application
backend application
  option http-keep-alive
  http-reuse always
  server application ${serverLine(plan)}
`;
}

function serverLine({ address, innerPort, upstream }: ListenerPlan): string {
  if (upstream === null) return `${address}:${innerPort}`;
  const { tls } = upstream;
  const place = `${upstream.address}:${upstream.port}`;
  if (tls === null) return place;
  const identity = tls.identity === null ? '' : ` crt ${tls.identity}`;
  return `${place} ssl verify required ca-file ${tls.authority} sni str(${tls.hostname}) verifyhost ${tls.hostname} alpn http/1.1${identity}`;
}

/** HAProxy's own answers, for when the application is gone. */
function ownErrors({ upstream }: ListenerPlan): string {
  return upstream === null
    ? ''
    : proxyErrors
        .map(
          (status) =>
            `  http-error status ${status} content-type text/plain string "${status}" hdr ${proxyErrorHeader} haproxy\n`,
        )
        .join('');
}

function bindOptions({ transport, identity, clientAuthority }: ListenerPlan): string {
  const { encrypted, httpVersion, alpn } = transportFacts[transport];
  const demand = clientAuthority === null ? '' : ` ca-file ${clientAuthority} verify required`;
  if (encrypted) return ` ssl crt ${identity} alpn ${httpVersion === '2' ? 'h2,http/1.1' : alpn}${demand}`;
  return httpVersion === '2' ? ' proto h2' : '';
}

/**
 * Ends TLS in front of an nginx of its own and hands on what is inside, so it has nothing to do without TLS: that listener is
 * the nginx alone.
 */
export const hitch = managedServer({
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

/** Protocol that hitch hands on. */
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
keepalive = ${plan.idleS}
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
 * Like hitch, in front of an nginx of its own, with a thread per connection: the number of workers is nginx's alone. Its servers offer no
 * protocol by ALPN, so they have no HTTP/2.
 */
export const stunnel = managedServer({
  name: 'stunnel',
  parts: { stunnel: { program: ['stunnel', 'stunnel4'], package: 'stunnel4' }, nginx: nginxBehind },
  versionOf: (paths) => ({ program: paths.stunnel, args: ['-version'] }),
  transports: ['http', 'https'],
  tls: 'stunnel',
  sets: ['tickets'],
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
  const tickets = ticketsIn(plan).map((number) => `config = NumTickets:${number}\n`);
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
TIMEOUTidle = ${plan.idleS}
${isWeak(key) ? 'securityLevel = 0\n' : ''}${resumption ? 'sessionCacheTimeout = 3600\n' : 'sessionResume = no\noptions = NO_TICKET\n'}${tickets.join('')}${clientAuthority === null ? '' : `requireCert = yes\nverifyChain = yes\nCAfile = ${clientAuthority}\n`}`;
}
