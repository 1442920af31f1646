import { join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import {
  configureInner,
  levelFor,
  nginxBehind,
  noTickets,
  openSslSettings,
  startInFront,
} from './front-end.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { configureNginx, startNginx } from './nginx.ts';
import { cipherList, idleS, mostConnections } from './tls-settings.ts';

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
