import { join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { levelFor, noTickets, openSslSettings } from './front-end.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { cipherList, idleS, mostConnections } from './tls-settings.ts';

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
