import { join } from 'node:path';
import { isEncrypted } from '../../../shared/base/transport.ts';
import { configureInner, nginxBehind, startInFront } from './front-end.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { configureNginx, startNginx } from './nginx.ts';
import { cipherList, idleS, isWeak } from './tls-settings.ts';

/**
 * As hitch, in front of an nginx of its own, with a thread for every connection: the number of workers is nginx's alone. A server
 * of it offers no protocol by ALPN, so it has no HTTP/2.
 */
export const stunnel = managedServer({
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
