import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_CIPHERS } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { fromSides, namesOf, sidesOfArms } from '../../../shared/base/arms.ts';
import { either } from '../../../shared/base/option.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, MeasuredServerOf, ServerWitness } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import { environmentOf, runChild } from '../../base/process/children.ts';
import { reasonOf } from '../../base/text/foreign-errors.ts';
import { dial, Line, withDeadline } from '../../base/wire/ask.ts';
import { groupName, offerOf, readNegotiated, versionFor } from '../../base/wire/negotiated-tls.ts';
import { openChain } from '../certificates/certificate-authority.ts';
import { type Asked as AskedPart, compressionsOf, demandTerms, fieldIn } from '../preflight/target-parts.ts';
import { demandInstalled, type Installed, kTlsProblem, whatItLacks } from './find-servers.ts';
import { type OpenKept, openKept } from './kept-servers.ts';
import { type Build, type ManagedServer, type Order, opensslLibrary, type Paths } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { findLibrary, type Libraries, versionInDirectory } from './tls-library.ts';
import { agreedHeader, cipherList, witnessHeader, witnessPath } from './tls-settings.ts';

const timeoutMs = 10_000;

/**
 * Whether server and client see the same: two connections, of which the second offers the session of the first, each with a
 * request whose response says in a header what the server thinks. The generator's counts of resumed handshakes rest on it.
 * Throws server_failed where the ends disagree. Null for a listener without TLS, and where the two ends do not come to terms: the
 * preflight says why.
 */
async function askWitness(listener: Listener, title: string): Promise<ServerWitness | null> {
  if (!transportFacts[listener.transport].encrypted) return null;
  try {
    const first = await visit(listener, null);
    if (first === null) return null;
    const second = await visit(listener, first.session);
    if (second === null) return null;
    const witness = {
      client: [first.client, second.client],
      server: first.server === null || second.server === null ? null : [first.server, second.server],
      agreed: first.agreed,
      ...(first.tickets === null ? {} : { tickets: first.tickets }),
    };
    demandAgreement(witness, title);
    return witness;
  } catch (error) {
    if ((error as Error).name === 'ProblemError') throw error;
    throw problem('server_failed', `${title} did not say what it resumed: it ${reasonOf(error)}.`);
  }
}

/** Throws server_failed. */
export function demandAgreement({ client, server, agreed }: ServerWitness, title: string): void {
  if (agreed !== undefined && agreed.server !== null) {
    const seen = new Set(agreed.client.split(' '));
    if (!agreed.server.split(' ').every((word) => seen.has(word))) {
      throw problem(
        'server_failed',
        `${title} says that it negotiated ${agreed.server}, and the client says ${agreed.client}.`,
      );
    }
  }
  if (server === null || client.every((resumed, index) => resumed === server[index])) return;
  const print = (resumed: readonly boolean[]) =>
    resumed.map((each) => (each ? 'resumed' : 'full')).join(', then ');
  throw problem(
    'server_failed',
    `${title} counts its handshakes differently from the client: ${print(server)} against ${print(client)}.`,
  );
}

type Visit = {
  session: Buffer | null;
  client: boolean;
  server: boolean | null;
  agreed: NonNullable<ServerWitness['agreed']>;
  /** Null before TLS 1.3, where a session needs no ticket. */
  tickets: number | null;
};

/** With what the listener's side asks for in TLS; null where that cannot be agreed on. */
function visit(listener: Listener, session: Buffer | null): Promise<Visit | null> {
  const { alpn, httpVersion } = transportFacts[listener.transport];
  const { address, port, hostname } = listener;
  return withDeadline(timeoutMs, undefined, async (hold) => {
    let latest: Buffer | null = null;
    let tickets = 0;
    const tls = { ...offered(listener, alpn), ...(session === null ? {} : { session }) };
    const socket = await dial({ address, port, tls }, hold).catch(() => null);
    if (socket === null) return null;
    socket.on('session', (received) => {
      latest = received;
      tickets++;
    });
    try {
      const client = socket.isSessionReused();
      const { protocol, cipher, group } = readNegotiated(socket, client, undefined);
      // The connection's facts are lost when it closes, which the server may do after its answer.
      const suite = socket.getCipher();
      // In TLS 1.3, a session arrives after the handshake.
      if (protocol !== 'TLSv1.3') latest ??= socket.getSession() ?? null;
      const line = new Line(socket, httpVersion, { scheme: 'https', host: hostname });
      const question = { method: 'GET', path: witnessPath, headers: [], body: null };
      const { headers } = await line.ask(question, { hold });
      return {
        ...{
          session: latest,
          client,
          server: readHeader(headers[witnessHeader]),
          tickets: protocol === 'TLSv1.3' ? tickets : null,
        },
        agreed: {
          client: [protocol, cipher, group].filter((word) => word !== null).join(' '),
          server: wordsOf(headers[agreedHeader], suite),
        },
      };
    } finally {
      socket.destroy();
    }
  });
}

function offered({ hostname, ca, clientIdentity, tls, weakKey = false }: Listener, alpn: string) {
  return {
    ...{ servername: hostname, ca: ca ?? undefined, ALPNProtocols: [alpn] },
    ...offerOf(tls ?? defaultTlsProfile, weakKey, DEFAULT_CIPHERS),
    ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
  };
}

/** Null for a server that does not say; some say `-` for what they do not know, and each has names of its own. */
function wordsOf(value: unknown, suite: { name: string; standardName: string }): string | null {
  const words = String(value ?? '')
    .split(' ')
    .filter((word) => word !== '' && word !== '-')
    .map((word) => (word === suite.name ? suite.standardName : groupName(word)));
  return words.length === 0 ? null : words.join(' ');
}

/** Address at which a server tells whether a connection resumed its TLS session; null without one. */
export const resumptionWitness = {
  path: witnessPath,
  // Caddy 2.6 knows nothing of the TLS of HTTP/3, and says so of the version alone.
  readResumed: (headers: Record<string, string>) =>
    headers[agreedHeader]?.startsWith('0x0000') ? null : readHeader(headers[witnessHeader]),
};

const resumedWords = ['r', 'Resumed', '1', 'true'];
const fullWords = ['.', 'Initial', '0', 'false'];

/** Null for a server that does not say. */
function readHeader(value: unknown): boolean | null {
  const word = String(value);
  return resumedWords.includes(word) ? true : fullWords.includes(word) ? false : null;
}

type Asked<Name extends string> = AskedPart<'managed', Name>;

export type OpenManaged<Name extends string> = Pick<
  OpenKept<Name>,
  'listeners' | 'directory' | 'died' | 'stop'
> & { server: MeasuredServerOf<Name> };

/**
 * Throws server_missing, invalid_request for a transport, a key or kTLS where the server does not have it, and tls_not_offered for a
 * version, a suite or a group.
 */
export async function demandManageable(asked: Asked<string>, house: House): Promise<void> {
  const { target } = asked;
  const { version, tls } = findFor(asked, house);
  const name = serverTitles[target.server];
  demandVersionOfKey(asked);
  demandCompression(asked);
  await demandTerms(asked, `${name} ${version} (${tls.name ?? 'an unknown TLS library'})`, async () => {
    // Suites know the kind of a key, not its size, and a long one takes seconds to make.
    const like = target.key.startsWith('RSA-') ? 'RSA-2048' : target.key;
    const { certPem: cert, keyPem: key } = await openChain(join(house.dataDirectory, 'authority'), like, 0);
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

/**
 * Only Node is set up for it. OpenSSL compresses certificates of the kinds of keys that it has built in, and ML-DSA comes from a provider
 * (`ssl_compress_certs`, in ssl_cert_comp.c of 3.5).
 */
function demandCompression({ target: { server, key }, tls = [], ...asked }: Asked<string>): void {
  const index = tls.findIndex(({ certificateCompression }) => certificateCompression !== 'none');
  if (index < 0) return;
  const refuse = (message: string) => {
    throw problemAt('tls_not_offered', fieldIn(asked, index, 'tls.certificateCompression'), message);
  };
  if (managedServers[server].compressesCertificates !== true) {
    refuse(
      `${serverTitles[server]} cannot compress its certificates as it is set up here. Choose Node or the demo shop, or plain certificates.`,
    );
  }
  if (key.startsWith('ML-DSA')) {
    refuse(
      `OpenSSL does not compress certificates with a key of ${key}. Choose another key, or plain certificates.`,
    );
  }
}

type Managed = Omit<Asked<string>, 'tls'>;

type House = { dataDirectory: string; libraries?: Libraries; namesCompiled?: boolean };

/** With the library that it loads, null where no side has another than its own. */
type Found = Installed & { library: Order['library'] };

function findFor({ target, transports, http3, page, libraries, ...asked }: Managed, house: House): Found {
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
  const udp = server.http3 === true ? -1 : (http3?.indexOf(true) ?? -1);
  if (udp >= 0) {
    const message = `${serverTitles[target.server]} is not set up for HTTP/3 here. Use Caddy.`;
    throw problemAt('invalid_request', fieldIn(asked, udp, 'transport'), message);
  }
  if (page !== undefined && server.lacks?.includes('page') === true) {
    const message = `${serverTitles[target.server]} serves no page with images here. Choose another server.`;
    throw problemAt('invalid_request', 'target.server', message);
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
  const installed = demandInstalled(target.server);
  const { version } = installed;
  const { tls, library } = chooseLibrary(installed, { target, libraries }, house);
  if (!tls.keys.includes(target.key)) {
    const message = `${serverTitles[target.server]} ${version} (${tls.name ?? 'an unknown TLS library'}) cannot use a key of ${target.key}. Use ${either.format(tls.keys)}.`;
    throw problemAt('invalid_request', 'target.key', message);
  }
  return { ...installed, tls, library };
}

/** Chooses the server's library, and groups that the libraries of all sides have. Throws invalid_request. */
function chooseLibrary(
  { paths, tls }: Installed,
  { target, libraries = [] }: Pick<Managed, 'target' | 'libraries'>,
  house: House,
): Pick<Found, 'tls' | 'library'> {
  if (libraries.length === 0) return { tls, library: null };
  const asked = { server: managedServers[target.server], paths, libraries: house.libraries };
  const other = target.library === null ? null : findLibrary(target.library, asked);
  const own = other === null ? tls : opensslLibrary(other.version);
  const groups = libraries.map((name) =>
    name === null ? tls.groups : opensslLibrary(versionInDirectory(house.libraries?.[name] ?? '')).groups,
  );
  const shared = own.groups
    .split(':')
    .filter((group) => groups.every((each) => each.split(':').includes(group)));
  const { name = '', files = [] } = other ?? {};
  return { tls: { ...own, groups: shared.join(':') }, library: { name, files } };
}

/**
 * Starts a server for each arm, alike in everything but the transport. Throws as above, and server_failed.
 * @param valgrind path of it, where it is to count their instructions
 */
export async function openManaged<Name extends string>(
  { target, transports, arms, http3 = [], page, tls: asked, libraries }: Asked<Name>,
  house: House,
  signal: AbortSignal,
  valgrind?: string,
): Promise<OpenManaged<Name>> {
  const found = findFor({ target, transports, arms, http3, page, libraries }, house);
  const { version, tls, library } = found;
  const building = withBuilt(managedServers[target.server], found, house.dataDirectory);
  const paths = await unlessAborted(signal, building);
  const spoken = fromSides(arms, transports);
  const overUdp = fromSides(arms, http3.length === 0 ? transports.map(() => false) : http3);
  const order = {
    ...{ target, paths, groups: tls.groups, transports: spoken, upstreams: null, page, library, valgrind },
    http3: namesOf(arms).filter((arm) => overUdp[arm]),
    ...compressionsOf(arms, asked),
  };
  const { listeners, tlsLibrary, libraryFiles, files, directory, died, stop } = await openKept(
    order,
    house,
    signal,
  );
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
        ...(libraryFiles === undefined ? {} : { libraryFiles }),
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

/** A compiler without a cache of its standard library needs half a minute on two slow cores. */
const buildMs = 10 * 60_000;

const building = new Map<string, Promise<void>>();

/**
 * The paths, with that of the program which was built of the server's sources; made the first time, and again when the sources or
 * the compiler have changed. Throws server_failed with the compiler's words.
 */
export async function withBuilt(
  { name, build }: Pick<ManagedServer, 'name' | 'build'>,
  { paths, version }: { paths: Paths; version: string },
  dataDirectory: string,
): Promise<Paths> {
  if (build === undefined) return paths;
  const cache = join(dataDirectory, 'cache', 'servers');
  const sources = fileURLToPath(build.sources);
  const built = join(cache, `${name}-${fingerprintOf(sources, version)}`);
  const makes =
    building.get(built) ??
    make(build, sources, { ...paths, built }, version).finally(() => building.delete(built));
  building.set(built, makes);
  try {
    await makes;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw problem('server_failed', `${serverTitles[name]} could not be built: ${lastOf(stderr || message)}`);
  }
  return { ...paths, built };
}

/** Under another name until it is whole: it may be looked for by another process meanwhile. */
async function make(build: Build, sources: string, paths: Paths, version: string): Promise<void> {
  const { built = '' } = paths;
  if (existsSync(built)) return;
  const place = `${built}.${process.pid}`;
  const program = join(place, 'server');
  mkdirSync(place, { recursive: true });
  try {
    cpSync(sources, place, { recursive: true });
    for (const [name, text] of Object.entries(build.filesOf(version))) writeFileSync(join(place, name), text);
    const { program: compiler, args } = build.commandOf({ ...paths, built: program });
    await runChild(compiler, args, {
      timeout: buildMs,
      cwd: place,
      env: { ...environmentOf('program'), HOME: homeOr(dirname(built)), ...build.environment },
    });
    renameSync(program, built);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** A compiler keeps what it has compiled in the home directory, which a service may not have. */
function homeOr(other: string): string {
  const { HOME } = process.env;
  try {
    accessSync(HOME ?? '', constants.W_OK);
    return HOME ?? other;
  } catch {
    return other;
  }
}

function fingerprintOf(sources: string, version: string): string {
  const hash = createHash('sha256').update(version);
  for (const name of readdirSync(sources).sort()) hash.update(name).update(readFileSync(join(sources, name)));
  return hash.digest('hex').slice(0, 16);
}

function lastOf(words: string): string {
  return words.trim().replaceAll(/\s+/g, ' ').slice(-600);
}
