import { join } from 'node:path';
import { transportFacts } from '../../../shared/base/transport.ts';
import { configureInner, lowestLevel, nginxBehind, openSslSettings, startInFront } from './front-end.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  cipherList,
  idleS,
  isWeak,
  mostConnections,
  proxyErrorHeader,
  proxyErrors,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

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
  const { address, port, workers, keepAlive, resumption, key, groups } = plan;
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

/** Of answers that are its own: where the application is gone. */
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
