import { basename } from 'node:path';
import { ProblemError, problemAt } from '../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { defaultPorts, isEncrypted, type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import type { FoundListener, Lookup, LookupRequest } from '../../../shared/target/preflight.ts';
import type { Listener, LocalServer } from '../../../shared/target/target.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import { bracketed, originOf } from '../../base/addresses/origin.ts';
import {
  findListenerPid,
  findListenerPids,
  isAsked,
  loopbackPorts,
  otherPortsOf,
} from '../../base/process/listeners.ts';
import { programOf, withDescendants } from '../../base/process/proc.ts';
import { askOnce, dial, withDeadline } from '../../base/wire/ask.ts';
import { changingShare, sameButAddress, shareOfDifference } from './compared-answers.ts';
import { Dialer, type Handshake } from './dialer.ts';
import { type Answer, CheckBudget, CheckProblem, checkReason } from './inspection.ts';
import { checkInTurn, lookUpOnce, type Permission, resolveOrigin } from './resolve-origins.ts';
import { walkTransaction } from './walk-transaction.ts';

/**
 * Finds out what answers at an address, and where its other side is: on the same port, on further ports of the same process, and where
 * the other scheme usually is. Only this machine and permitted hosts are asked, a few requests each.
 */

const lookMs = 1_900;
/** With one connection, one handshake, or one answer. */
const patienceMs = 1_500;
/** That of the address included. */
const mostPorts = 6;

type Place = { scheme: Scheme | null; hostname: string; port: number | null };
/** Answer of one port in one scheme. */
type Seen = { listener: Listener; answer: Answer; handshake: Handshake | null };

/**
 * @param trustedBefore finds the fingerprint that a stored measurement trusted at an origin
 * Throws invalid_request, target_not_permitted, target_unreachable, target_busy.
 */
export async function lookUp(
  { addresses, path, trusted }: LookupRequest,
  house: Permission,
  trustedBefore: (origin: string) => Promise<string | null>,
): Promise<Lookup> {
  if (addresses.length === 0) return { ...nothing, servers: await findLocalServers() };
  const limit = AbortSignal.timeout(lookMs);
  const signal = house.stopped === undefined ? limit : AbortSignal.any([limit, house.stopped()]);
  const inquiry = new Inquiry(path, { ...house, lookUp: lookUpOnce(house.lookUp) }, signal);
  const places = addresses.map(readPlace);
  const pinned = await Promise.all(places.map((place) => inquiry.pin(place, place.scheme ?? 'http')));
  return checkInTurn(pinned, house, signal, async () => {
    const [one, two] = await Promise.all(places.map((place) => inquiry.ask(place)));
    const asked = [one, two].flatMap((each) => each?.slice(0, 1) ?? []);
    const pair = two === undefined ? null : pairOf(one ?? [], two);
    const around = pair === null ? await inquiry.findOther(one ?? []) : null;
    const found = (pair ?? around?.pair ?? asked).toSorted(httpFirst);
    const [first, second] = found;
    return {
      ...nothing,
      found: await Promise.all(
        found.map(async (seen) => {
          const origin = originOf(seen.listener);
          const known = trusted?.origin === origin ? trusted.fingerprint : await trustedBefore(origin);
          return describe(seen, await inquiry.judge(seen, known));
        }),
      ),
      same: first === undefined || second === undefined ? null : isSamePage(first.answer, second.answer),
      missing: around?.missing ?? null,
      others: (around?.others ?? []).map((seen) => describe(seen, null)),
      twin: await inquiry.findTwin(found),
    };
  });
}

const nothing: Lookup = { found: [], same: null, missing: null, others: [], twin: null, servers: [] };

/** Throws invalid_request. */
function readPlace(text: string): Place {
  const scheme = (/^(https?):\/\//i.exec(text)?.[1]?.toLowerCase() ?? null) as Scheme | null;
  const url = URL.parse(scheme === null ? `http://${text}` : text);
  if (url === null || url.hostname === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(scheme === null ? text : '')) {
    throw problemAt(
      'invalid_request',
      'addresses',
      `“${text}” is not an address. Write it as 127.0.0.1:8080 or https://localhost:8443.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw problemAt('invalid_request', 'addresses', 'Leave the user name and password out of the address.');
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return { scheme, hostname, port: url.port === '' ? null : Number(url.port) };
}

const usualPorts: Record<Scheme, readonly number[]> = { http: [80, 8080], https: [443, 8443] };

function otherThan(scheme: Scheme): Scheme {
  return scheme === 'http' ? 'https' : 'http';
}

function schemeOfSeen({ listener }: Seen): Scheme {
  return schemeOf(listener.transport);
}

function httpFirst(one: Seen, other: Seen): number {
  return Number(isEncrypted(one.listener.transport)) - Number(isEncrypted(other.listener.transport));
}

/** One of each, of two schemes where both offer them. */
function pairOf(one: readonly Seen[], two: readonly Seen[]): Seen[] {
  const pairs = one.flatMap((first) => two.map((second) => [first, second] as const));
  const best = pairs.find(([first, second]) => schemeOfSeen(first) !== schemeOfSeen(second)) ?? pairs[0];
  return best === undefined ? [] : [...best];
}

/** Asks what belongs to one lookup, within its time and its permits. */
class Inquiry {
  readonly #path: string;
  readonly #permission: Permission;
  readonly #signal: AbortSignal;
  #budget: CheckBudget | null = null;

  constructor(path: string, permission: Permission, signal: AbortSignal) {
    this.#path = path;
    this.#permission = permission;
    this.#signal = signal;
  }

  /** Judges the address before anything is sent. Throws target_not_permitted, target_unreachable. */
  async pin({ hostname, port }: Place, scheme: Scheme): Promise<Listener> {
    const origin = `${scheme}://${bracketed(hostname)}:${port ?? defaultPorts[scheme]}`;
    const given = { field: 'addresses', ca: null, pid: null };
    try {
      const at = await unlessAborted(this.#signal, resolveOrigin(origin, scheme, given, this.#permission));
      const listener: Listener = { arm: scheme === 'http' ? 'baseline' : 'comparison', ...at };
      this.#budget ??= CheckBudget.of([listener]);
      return listener;
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw problemAt('target_unreachable', 'addresses', `${hostname} did not answer in time.`, {
        cause: error,
      });
    }
  }

  /** Schemes that the port of an address speaks, or those of a name on their usual ports. Throws target_unreachable. */
  async ask(place: Place): Promise<Seen[]> {
    const { scheme, port } = place;
    const schemes: Scheme[] = scheme === null ? ['http', 'https'] : [scheme];
    const tried = await Promise.allSettled(schemes.map((each) => this.#at(place, each)));
    const seen = tried.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    // A name without a port has two usual ports. The second is looked for like any other side.
    if (seen.length > 0) return port === null ? seen.slice(0, 1) : seen;
    const reasons: unknown[] = tried.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
    const other = reasons.find((each) => !(each instanceof CheckProblem));
    if (other !== undefined) throw other;
    const problems = reasons.filter((each) => each instanceof CheckProblem);
    const why = problems.find(({ check }) => check === 'connect') ?? problems[0];
    throw problemAt('target_unreachable', 'addresses', why?.message ?? 'Nothing answers there.');
  }

  /** Other side of a listener: the first that serves the same, or else whatever answers in its place. */
  async findOther(own: readonly Seen[]) {
    const [first, second] = own;
    if (first === undefined) return { pair: null, missing: null, others: [] };
    if (second !== undefined) return { pair: [first, second], missing: null, others: [] };
    const scheme = otherThan(schemeOfSeen(first));
    const ports = portsAround(first.listener, scheme);
    const tried = await Promise.all(
      ports.map((port) => this.#at({ ...first.listener, scheme, port }, scheme).catch(skipProblem)),
    );
    const seen = tried.filter((each) => each !== null);
    const same = seen.find((each) => isSamePage(first.answer, each.answer, areOfOneProcess(first, each)));
    if (same !== undefined) return { pair: [first, same], missing: null, others: [] };
    return { pair: null, missing: seen.length === 0 ? { scheme, ports } : null, others: seen };
  }

  /** Null without an HTTP side, and on other hosts, whose processes cannot be seen. */
  async findTwin(found: readonly Seen[]): Promise<string | null> {
    const plain = found.find((each) => schemeOfSeen(each) === 'http');
    if (plain === undefined || plain.listener.permit !== undefined) return null;
    const { listener, answer } = plain;
    const ports = nearest(otherPortsOf(listener.address, listener.port), listener.port)
      .filter((port) => isAsked(port) && found.every((each) => each.listener.port !== port))
      .slice(0, mostPorts - found.length);
    const tried = await Promise.all(
      ports.map((port) => this.#at({ ...listener, scheme: 'http', port }, 'http').catch(skipProblem)),
    );
    const twin = tried.find((each) => each !== null && isSamePage(answer, each.answer));
    return twin == null ? null : originOf(twin.listener);
  }

  /** Whether a certificate is trusted, and by whom. Null without TLS. @param known fingerprint that was trusted there before */
  async judge(
    { listener, handshake }: Seen,
    known: string | null,
  ): Promise<NonNullable<FoundListener['tls']> | null> {
    const leaf = handshake?.leaf;
    if (handshake === null || leaf === undefined) return null;
    const { fingerprint256: fingerprint } = leaf;
    const problem = await this.#dialer(listener, true)
      .dial()
      .then(({ socket }) => {
        socket.destroy();
        return null;
      }, checkReason);
    const isHere = listener.permit === undefined && (known === null || known === fingerprint);
    return {
      protocol: handshake.negotiated.protocol,
      certificate: {
        ...{ fingerprint, selfSigned: leaf.checkIssued(leaf), problem },
        trusted: problem === null ? 'authority' : isHere ? 'here' : 'asks',
      },
    };
  }

  /** Throws a CheckProblem, target_not_permitted, target_unreachable. */
  async #at(place: Place, scheme: Scheme): Promise<Seen> {
    const listener = await this.pin(place, scheme);
    const dialer = this.#dialer(listener, false);
    const connection = isEncrypted(listener.transport) ? await dialer.dial() : null;
    connection?.socket.destroy();
    const inspection = {
      ...{ timeoutMs: patienceMs, signal: this.#signal, budget: this.#budget, tls: defaultTlsProfile },
      ...{ hostnames: [listener.hostname], connectionPolicy: 'keep-alive' as const },
      scenario: pathScenario([this.#path]),
    };
    for await (const answer of walkTransaction(dialer, inspection))
      return { listener, answer, handshake: connection?.handshake ?? null };
    throw new Error('a scenario has at least one step');
  }

  #dialer(listener: Listener, verify: boolean): Dialer {
    const options = { timeoutMs: patienceMs, signal: this.#signal, budget: this.#budget };
    return new Dialer(listener, { ...defaultTlsProfile, verify }, options);
  }
}

/** Skips a port that does not answer, or may not be asked, such as the dashboard's own. */
function skipProblem(error: unknown): null {
  if (error instanceof ProblemError || error instanceof CheckProblem) return null;
  throw error;
}

/** Ports that may speak the other scheme, the likeliest first: `3443` for `3000`, like `8443` for `8080`. */
function portsAround({ address, port, permit }: Listener, scheme: Scheme): number[] {
  const ofProcess = permit === undefined ? otherPortsOf(address, port) : [];
  const beside = scheme === 'https' ? port + 1 : port - 1;
  const alike = Math.floor(port / 1000) * 1000 + defaultPorts[scheme];
  const named = [...nearest(ofProcess, port), ...usualPorts[scheme], alike, beside];
  const further = named.filter((each) => isAsked(each) && each > 0 && each <= 65_535);
  return [...new Set([port, ...further])].slice(0, mostPorts);
}

function nearest(ports: readonly number[], to: number): number[] {
  return ports.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to));
}

function areOfOneProcess(one: Seen, other: Seen): boolean {
  const [own, others] = [one, other].map(({ listener: { address, port, permit } }) =>
    permit === undefined ? findListenerPid(address, port) : null,
  );
  return own != null && own === others;
}

/** @param isOfOne whether one process serves both: a part that changes with each request is then no difference */
function isSamePage(one: Answer, other: Answer, isOfOne = false): boolean {
  const [left, right] = [one.response, other.response];
  if (left.status !== right.status || left.contentType !== right.contentType) return false;
  if (left.contentEncoding !== right.contentEncoding) return false;
  if (left.bodySha256 === right.bodySha256 || sameButAddress(one, other)) return true;
  return isOfOne && shareOfDifference(left.bodyBytes, right.bodyBytes) <= changingShare;
}

function describe({ listener, answer }: Seen, tls: FoundListener['tls']): FoundListener {
  const { address, port, permit } = listener;
  const pids = permit === undefined ? findListenerPids(address, port) : [];
  const path = pids[0] === undefined ? null : programOf(pids[0]);
  const program = path === null ? null : basename(path);
  return {
    ...{ scheme: schemeOf(listener.transport), origin: originOf(listener) },
    ...{ server: nameOf(program, answer), program, processes: pids.flatMap(withDescendants).length },
    ...{ status: answer.response.status, bodyBytes: answer.response.bodyBytes, tls },
  };
}

/** `nginx 1.22`: a Server header is believed if it names the program, or if the program is unknown. */
function nameOf(program: string | null, { headers }: Answer): string | null {
  const header = headers.find(([name]) => name === 'server')?.[1] ?? '';
  const [, product, version] = /^([A-Za-z][\w-]{0,30})(?:\/(\d+(?:\.\d+)?))?/.exec(header) ?? [];
  if (product === undefined) return program;
  const isOfProgram = program === null || program.startsWith(product.toLowerCase().slice(0, 5));
  if (!isOfProgram) return program;
  return version === undefined ? product : `${product} ${version}`;
}

const loopback = '127.0.0.1';
const localAnswerMs = 400;
/** Further ones are left out, the highest ports first. */
const mostLocalPorts = 40;
/** First of the ports that the kernel gives to clients, and to servers that name none (ip(7), `ip_local_port_range`). */
const firstEphemeral = 32_768;

/** Each is asked once whether it speaks TLS, and if not, for the head of `/`. @param own process that is no target */
export async function findLocalServers(own: number | null = process.pid): Promise<LocalServer[]> {
  const ports = loopbackPorts()
    .filter((port) => port < firstEphemeral && isAsked(port))
    .slice(0, mostLocalPorts);
  const spoken = await Promise.all(ports.map(async (port) => ({ port, scheme: await schemeAt(port) })));
  const servers = new Map<string, LocalServer>();
  for (const { port, scheme } of spoken) {
    if (scheme === null) continue;
    const pid = findListenerPid(loopback, port);
    if (pid !== null && pid === own) continue;
    const path = pid === null ? null : programOf(pid);
    const key = pid === null ? `port ${port}` : String(pid);
    const server = servers.get(key) ?? { program: path && basename(path), http: [], https: [] };
    server[scheme].push(port);
    servers.set(key, server);
  }
  return [...servers.values()];
}

async function schemeAt(port: number): Promise<Scheme | null> {
  if (await speaksTls(port)) return 'https';
  return (await speaksHttp(port)) ? 'http' : null;
}

async function speaksTls(port: number): Promise<boolean> {
  const tls = { servername: 'localhost', rejectUnauthorized: false };
  try {
    await withDeadline(localAnswerMs, undefined, async (hold) => {
      (await dial({ address: loopback, port, tls }, hold)).destroy();
    });
    return true;
  } catch {
    return false;
  }
}

async function speaksHttp(port: number): Promise<boolean> {
  const asked = askOnce(
    { address: loopback, port, tls: null },
    { method: 'HEAD', path: '/' },
    { limitMs: localAnswerMs },
  );
  return asked.then(
    () => true,
    () => false,
  );
}
