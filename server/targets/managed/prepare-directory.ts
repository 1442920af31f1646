import { chownSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasuredServerOf } from '../../../shared/target/target.ts';
import type { User } from '../../base/process/unprivileged-user.ts';
import { documentOf } from './documents.ts';
import type { Order, Upstream } from './keeper-messages.ts';
import type { ListenerPlan, ManagedServer } from './managed-server.ts';

type Prepared = {
  directory: string;
  plans: [arm: string, ListenerPlan][];
  files: MeasuredServerOf<string>['files'];
};

type Options = {
  address: string;
  /** Two for each arm. */
  ports: readonly number[];
  onDirectory(path: string): void;
};

/** A private directory with the documents, the certificate, and a directory for each listener with its configuration. */
export function prepareDirectory(
  { target, transports, upstreams, groups, namesCompiled, hostname, certPem, keyPem, mutual, paths }: Order,
  server: ManagedServer,
  owner: User | null,
  { address, ports, onDirectory }: Options,
): Prepared {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-server-'));
  onDirectory(directory);
  const documents = join(directory, 'documents');
  const identity = join(directory, 'identity.pem');
  mkdirSync(documents);
  for (const bytes of target.documents) writeFileSync(join(documents, `${bytes}.html`), documentOf(bytes));
  writeFileSync(identity, certPem + keyPem, { mode: 0o600 });
  const clientAuthority = mutual === null ? null : join(directory, 'clients.pem');
  if (mutual !== null && clientAuthority !== null) writeFileSync(clientAuthority, mutual.caPem);

  const files: MeasuredServerOf<string>['files'] = [];
  const { key, workers, keepAlive, resumption, kTls } = target;
  const plans = Object.entries(transports).map(([arm, transport], index): [string, ListenerPlan] => {
    const own = join(directory, arm);
    mkdirSync(own);
    const upstream = upstreams?.[arm];
    const plan: ListenerPlan = {
      ...{ key, workers, keepAlive, resumption, kTls, groups, namesCompiled },
      ...{ address, hostname, documents, sizes: target.documents, identity, clientAuthority },
      upstream: upstream === undefined ? null : placeUpstream(upstream, own),
      transport,
      port: ports[2 * index] ?? 0,
      innerPort: ports[2 * index + 1] ?? 0,
      directory: own,
      errorLog: join(own, 'error.log'),
    };
    for (const [name, text] of Object.entries(server.filesOf(plan, paths))) {
      writeFileSync(join(own, name), text);
      files.push({ arm, name, text });
    }
    writeFileSync(plan.errorLog, '');
    return [arm, plan];
  });
  if (owner !== null) giveTo(owner, directory);
  return { directory, plans, files };
}

/** What of it is a file is written into the listener's own directory. */
function placeUpstream({ address, port, tls }: Upstream, directory: string): ListenerPlan['upstream'] {
  if (tls === null) return { address, port, tls };
  const { hostname, caPem, identityPem } = tls;
  const [authority, identity] = [join(directory, 'upstream-ca.pem'), join(directory, 'upstream-client.pem')];
  writeFileSync(authority, caPem);
  if (identityPem !== null) writeFileSync(identity, identityPem, { mode: 0o600 });
  return { address, port, tls: { hostname, authority, identity: identityPem === null ? null : identity } };
}

function giveTo({ uid, gid }: User, directory: string): void {
  const inside = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  for (const path of [directory, ...inside.map((name) => join(directory, name))]) chownSync(path, uid, gid);
}
