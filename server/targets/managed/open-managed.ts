import { join } from 'node:path';
import { fromSides, sidesOfArms } from '../../../shared/base/arms.ts';
import { either } from '../../../shared/base/option-text.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, MeasuredServerOf } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { versionFor } from '../../base/addresses/offered-tls.ts';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { openChain } from '../certificate-authority.ts';
import { demandTerms } from '../demand-terms.ts';
import { type Asked as AskedPart, fieldIn } from '../part-target.ts';
import { withBuilt } from './build-server.ts';
import { demandInstalled, type Installed } from './find-servers.ts';
import { kTlsProblem } from './k-tls.ts';
import { managedServers } from './managed-servers.ts';
import { type OpenKept, openKept } from './open-kept.ts';
import { cipherList } from './tls-settings.ts';
import { whatItLacks } from './what-it-lacks.ts';
import { askWitness } from './witness.ts';

type Asked<Name extends string> = AskedPart<'managed', Name>;

export type OpenManaged<Name extends string> = Pick<
  OpenKept<Name>,
  'listeners' | 'directory' | 'died' | 'stop'
> & { server: MeasuredServerOf<Name> };

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
  throw problemAt('tls_not_offered', fieldIn(asked, index, 'tls.version'), message);
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
  const lacking = whatItLacks(target);
  if (lacking !== null) throw problemAt('invalid_request', `target.${lacking.field}`, lacking.message);
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
    const message = `${serverTitles[target.server]} ${version} (${tls.name ?? 'an unknown TLS library'}) cannot use a key of ${target.key}. Use ${either.format(tls.keys)}.`;
    throw problemAt('invalid_request', 'target.key', message);
  }
  return found;
}

/**
 * Starts a server for each arm, alike in everything but the transport. Throws as above, and server_failed.
 * @param valgrind path of it, where it is to count their instructions
 */
export async function openManaged<Name extends string>(
  { target, transports, arms, tls: asked }: Asked<Name>,
  house: { dataDirectory: string; namesCompiled?: boolean },
  signal: AbortSignal,
  valgrind?: string,
): Promise<OpenManaged<Name>> {
  const found = findFor({ target, transports, arms });
  const { version, tls } = found;
  const building = withBuilt(managedServers[target.server], found, house.dataDirectory);
  const paths = await unlessAborted(signal, building);
  const spoken = fromSides(arms, transports);
  const order = { target, paths, groups: tls.groups, transports: spoken, upstreams: null, valgrind };
  const { listeners, tlsLibrary, files, directory, died, stop } = await openKept(order, house, signal);
  try {
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
      ...{ directory, died, stop },
    };
  } catch (error) {
    await stop();
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
