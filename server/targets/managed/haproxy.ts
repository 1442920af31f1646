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
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

/**
 * In front of an nginx of its own, to which it speaks plain HTTP/1.1 on connections that stay open. One process tree, with
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
  filesOf: (plan) => ({
    'haproxy.cfg': configureHaproxy(plan),
    ...(isWeak(plan.key) ? { 'openssl.cnf': openSslSettings(lowestLevel) } : {}),
    ...configureInner(plan, { transport: 'http', keepAlive: true }),
  }),
  commandOf: (plan, paths) =>
    startInFront(
      {
        program: 'env',
        args: [
          // It loads the certificate before it reads a level from its list of suites.
          ...(isWeak(plan.key) ? [`OPENSSL_CONF=${join(plan.directory, 'openssl.cnf')}`] : []),
          ...[paths.haproxy, '-db', '-f', join(plan.directory, 'haproxy.cfg')],
        ],
      },
      paths.nginx,
      plan,
    ),
});

/** Without resumption it goes on sending tickets of TLS 1.3, which nobody can use: it has no setting for their number. */
function configureHaproxy(plan: ListenerPlan): string {
  const { address, port, innerPort, workers, keepAlive, resumption, key, groups } = plan;
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
frontend listener
  bind ${address}:${port}${bindOptions(plan)}
  http-request return status 200 hdr ${witnessHeader} %[ssl_fc_is_resumed] hdr ${agreedHeader} "%[ssl_fc_protocol] %[ssl_fc_cipher]" if { path ${witnessPath} }
  ${keepAlive ? 'option http-keep-alive' : 'option httpclose'}
  default_backend nginx
backend nginx
  option http-keep-alive
  http-reuse always
  server nginx ${address}:${innerPort}
`;
}

function bindOptions({ transport, identity, clientAuthority }: ListenerPlan): string {
  const { encrypted, httpVersion, alpn } = transportFacts[transport];
  const demand = clientAuthority === null ? '' : ` ca-file ${clientAuthority} verify required`;
  if (encrypted) return ` ssl crt ${identity} alpn ${httpVersion === '2' ? 'h2,http/1.1' : alpn}${demand}`;
  return httpVersion === '2' ? ' proto h2' : '';
}
