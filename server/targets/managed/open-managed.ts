import { join } from 'node:path';
import { byArm, fromSides, namesOf, sidesOfArms } from '../../../shared/base/arms.ts';
import { either } from '../../../shared/base/option-text.ts';
import { problem } from '../../../shared/base/problem.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, MeasuredServerOf } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { versionFor } from '../../base/addresses/offered-tls.ts';
import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import { openAuthority, openChain, openClientIdentity } from '../certificate-authority.ts';
import { demandTerms } from '../demand-terms.ts';
import { type Asked as AskedPart, fieldIn } from '../part-target.ts';
import { withBuilt } from './build-server.ts';
import { endByForce } from './end-servers.ts';
import { demandInstalled, type Installed } from './find-servers.ts';
import { kTlsProblem } from './k-tls.ts';
import { questions } from './keeper-messages.ts';
import type { ManagedServer } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { cipherList, isWeak } from './tls-settings.ts';
import { askWitness } from './witness.ts';

type Asked<Name extends string> = AskedPart<'managed', Name>;

export type OpenManaged<Name extends string> = {
  listeners: Record<Name, Listener>;
  server: MeasuredServerOf<Name>;
  died: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Throws server_missing, invalid_request for a transport, a key or kTLS where the server does not have it, and tls_not_offered for a
 * version, a suite or a group.
 */
export async function demandManageable(
  asked: Asked<string>,
  { dataDirectory }: { dataDirectory: string },
): Promise<void> {
  const { target } = asked;
  const { version, tls } = findFor(asked);
  const name = serverTitles[target.server];
  demandVersionOfKey(asked);
  await demandTerms(asked, `${name} ${version} (${tls.name ?? 'an unknown TLS library'})`, async () => {
    // Suites know the kind of a key, not its size, and a long one takes seconds to make.
    const like = target.key.startsWith('RSA-') ? 'RSA-2048' : target.key;
    const { certPem: cert, keyPem: key } = await openChain(join(dataDirectory, 'authority'), like, 0);
    return { cert, key, ecdhCurve: tls.groups, ciphers: `${suitesOf13}:${tls.suites ?? cipherList(like)}` };
  });
}

const suitesOf13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

/** ML-DSA came with TLS 1.3 (draft-ietf-tls-mldsa). */
function demandVersionOfKey({ target: { key }, tls = [], ...asked }: Asked<string>): void {
  const index = tls.findIndex((profile) => versionFor(profile) === 'TLSv1.2');
  if (index < 0 || !key.startsWith('ML-DSA')) return;
  const message = `A key of ${key} needs TLS 1.3. Choose another key, or another version.`;
  const field = fieldIn(asked, index, 'tls.version');
  throw problem('tls_not_offered', { detail: message, errors: [{ field, message }] });
}

type Managed = Omit<Asked<string>, 'tls'>;

function findFor({ target, transports, ...asked }: Managed): Installed {
  const server = managedServers[target.server];
  const index = transports.findIndex((transport) => !server.transports.includes(transport));
  const beyond = transports[index];
  if (beyond !== undefined) {
    const message = `${serverTitles[target.server]} does not speak ${transportFacts[beyond].name}`;
    throw problem('invalid_request', {
      detail: `${message} as it is set up here.`,
      errors: [{ field: fieldIn(asked, index, 'transport'), message }],
    });
  }
  demandAbilities({ target, ...asked }, server);
  const wrong = target.kTls ? kTlsProblem(target.server, server) : null;
  if (wrong !== null) {
    throw problem('invalid_request', {
      detail: `kTLS is not available. ${wrong}`,
      errors: [{ field: 'target.kTls', message: wrong }],
    });
  }
  const found = demandInstalled(target.server);
  const { version, tls } = found;
  if (!tls.keys.includes(target.key)) {
    const detail = `${serverTitles[target.server]} ${version} (${tls.name ?? 'an unknown TLS library'}) cannot use a key of ${target.key}. Use ${either.format(tls.keys)}.`;
    throw problem('invalid_request', { detail, errors: [{ field: 'target.key', message: detail }] });
  }
  return found;
}

function demandAbilities({ target }: Pick<Managed, 'target'>, { lacks = [] }: ManagedServer): void {
  const title = serverTitles[target.server];
  const demand = (field: string, message: string) => {
    throw problem('invalid_request', { detail: message, errors: [{ field, message }] });
  };
  if (!target.keepAlive && lacks.includes('closing')) {
    demand(
      'target.keepAlive',
      `${title} cannot close a connection after each response. Leave keep-alive on.`,
    );
  }
  if (target.clientCertificates && lacks.includes('clientCertificates')) {
    demand(
      'target.clientCertificates',
      `${title} cannot ask clients for certificates. Choose another server.`,
    );
  }
}

/** Longer than the keeper ever waits: killed before it has answered, it would leave servers that nobody knows. */
const startMs = 120_000;
const longestRunMs = 24 * 60 * 60_000;

/** Starts a server for each arm, alike in everything but the transport. Throws as above, and server_failed. */
export async function openManaged<Name extends string>(
  { target, transports, arms, tls: asked }: Asked<Name>,
  { dataDirectory }: { dataDirectory: string },
  signal: AbortSignal,
): Promise<OpenManaged<Name>> {
  const found = findFor({ target, transports, arms });
  const { version, tls } = found;
  const paths = await unlessAborted(signal, withBuilt(managedServers[target.server], found, dataDirectory));
  const directory = join(dataDirectory, 'authority');
  const authority = await openChain(directory, target.key, target.chain);
  const mutual = target.clientCertificates
    ? {
        caPem: (await openAuthority(directory)).caPem,
        clientIdentity: await openClientIdentity(directory),
      }
    : null;
  signal.throwIfAborted();
  const { certPem, keyPem, caPem, hostname } = authority;
  const spoken = fromSides(arms, transports);
  const keeper = await startAskedProcess({
    script: new URL('./keeper.ts', import.meta.url),
    questions,
    name: 'The process that keeps the servers',
    code: 'target_died',
    refused: (reason) => problem('server_failed', reason),
    graceMs: 5000,
    serialization: 'json',
    detached: true,
  });
  try {
    const { groups } = tls;
    const order = { target, paths, transports: spoken, groups, hostname, certPem, keyPem, mutual };
    const started = await unlessAborted(signal, keeper.ask('start', order, { expectedMs: startMs }));
    const { address, tlsLibrary } = started;
    const files = started.files as MeasuredServerOf<Name>['files'];
    const [ports, pids] = [started.ports as Record<Name, number>, started.pids as Record<Name, number>];
    // Had it been killed, it would have left them.
    void keeper.ended.then((how) => {
      if (how !== 'exit code 0') endByForce(Object.values(started.pids), started.directory);
    });
    let stopping = false;
    const died = new Promise<string>((resolve) => {
      keeper.ask('death', undefined, { expectedMs: longestRunMs }).then(resolve, (error: Error) => {
        if (!stopping) resolve(error.message);
      });
    });
    const listeners = byArm(namesOf(arms), (arm): Listener => {
      const encrypted = isEncrypted(spoken[arm]);
      return {
        ...{ arm, transport: spoken[arm], hostname, address, port: ports[arm], pid: pids[arm] },
        ca: encrypted ? caPem : null,
        ...(encrypted && isWeak(target.key) ? { weakKey: true } : {}),
        ...(encrypted && mutual !== null ? { clientIdentity: mutual.clientIdentity } : {}),
      };
    });
    const title = serverTitles[target.server];
    const witnesses = await unlessAborted(signal, askWitnesses({ arms, listeners, tls: asked, title }));
    return {
      listeners,
      server: {
        name: target.server,
        title,
        version,
        tlsLibrary: tlsLibrary ?? tls.name,
        ...witnesses,
        files,
      },
      died,
      stop() {
        stopping = true;
        return keeper.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

async function askWitnesses<Name extends string>({
  arms,
  listeners,
  tls,
  title,
}: Pick<Asked<Name>, 'arms' | 'tls'> & {
  listeners: Record<Name, Listener>;
  title: string;
}): Promise<Pick<MeasuredServerOf<Name>, 'witness' | 'baselineWitness'>> {
  const asked = sidesOfArms(arms).map((side, index) => ({ ...listeners[side], tls: tls?.[index] }));
  const [first, last] = [asked[0] as Listener, asked.at(-1) as Listener];
  const witness = await askWitness(last, title);
  const ofFirst = first === last ? null : await askWitness(first, title);
  return { witness, ...(ofFirst === null ? {} : { baselineWitness: ofFirst }) };
}

async function unlessAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
