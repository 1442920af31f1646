import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import type { TlsField, TlsProfile, TlsVersion } from '../../../shared/base/tls-profile.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-profile.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import type { CheckId, PreflightSide } from '../../../shared/target/preflight.ts';
import type { ProbedCertificate } from '../../../shared/target/probe.ts';
import type { Listener, Permit } from '../../../shared/target/target.ts';
import { Pace, strictest } from '../../base/addresses/load-limits.ts';
import { keyOf } from '../../base/wire/negotiated-tls.ts';
import type { DroppedCookie } from '../../intake/scenario/cookie-jar.ts';

/** What the user can change so that it stops nothing. */
type WayOut = {
  /** SHA-256 of the certificate that was not accepted. */
  untrusted?: string | undefined;
  /** What was asked for by name, and is not to be had. */
  field?: `tls.${TlsField}` | 'transport' | undefined;
  /** The version of TLS to try instead. */
  otherVersion?: TlsVersion | undefined;
  /** Bytes that the client sent for a handshake that ended without a reason. */
  helloBytes?: number | undefined;
};

/** What stops the inspection of one side: the check that it fails, and why in a sentence. */
export class CheckProblem extends Error {
  readonly check: CheckId;
  readonly wayOut: WayOut;

  /** @param cause original words of the system or the TLS library, if the message cannot translate them */
  constructor(check: CheckId, message: string, wayOut: WayOut = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'CheckProblem';
    this.check = check;
    this.wayOut = wayOut;
  }
}

/** Message of what stopped it. Throws any other error. */
export function checkReason(error: unknown): string {
  if (error instanceof CheckProblem) return error.message;
  throw error;
}

const mostHandshakes = 20;
const fewestHandshakes = 3;
/** For the handshakes of one side, where the rate allows few. */
const handshakesS = 4;

/**
 * What a check may do to a target on another host, all its sides together: connections and requests begin at the permitted
 * rate, and no more connections are open, and no more bytes sent and received, than its permit says.
 */
export class CheckBudget {
  readonly #permit: Permit;
  readonly #pace: Pace;
  readonly #open = new Set<Socket>();
  #waiting: (() => void)[] = [];
  #places: number;
  #closedBytes = 0;

  constructor(permit: Permit) {
    this.#permit = permit;
    this.#pace = new Pace(permit.caps.requestsPerS);
    this.#places = permit.caps.connections;
  }

  /** Null where all listeners are on this machine. */
  static of(listeners: readonly Pick<Listener, 'permit'>[]): CheckBudget | null {
    const permit = strictest(listeners);
    return permit === null ? null : new CheckBudget(permit);
  }

  /** Of one side: enough to see whether they are all alike, few enough to end soon. */
  static handshakes(budget: CheckBudget | null): number {
    if (budget === null) return mostHandshakes;
    const bearable = Math.floor(budget.#permit.caps.requestsPerS * handshakesS);
    return Math.min(mostHandshakes, Math.max(fewestHandshakes, bearable));
  }

  /** How long so many connections and requests have to wait, in whole ms. */
  waitMs(count: number): number {
    return Math.ceil((count / this.#permit.caps.requestsPerS) * 1000);
  }

  /** Resolves when another request may begin. Throws a CheckProblem when that is too late, or the bytes are used up. */
  async begin(signal: AbortSignal): Promise<void> {
    this.demandBytes();
    const waitMs = this.#pace.take(1, performance.now());
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => this.#tooSlow());
    if (signal.aborted) this.#tooSlow();
  }

  /** The same for a connection, which counts until it is closed. */
  async connect(signal: AbortSignal, open: () => Promise<Socket>): Promise<Socket> {
    await this.#takePlace(signal);
    try {
      await this.begin(signal);
      const socket = await open();
      this.#open.add(socket);
      socket.once('close', () => this.#closed(socket));
      if (socket.closed) this.#closed(socket);
      return socket;
    } catch (error) {
      this.#leavePlace();
      throw error;
    }
  }

  /** Throws a CheckProblem when more was sent and received than a run may. */
  demandBytes(): void {
    const open = [...this.#open].reduce((sum, socket) => sum + bytesOf(socket), 0);
    const { host, caps } = this.#permit;
    if (this.#closedBytes + open <= caps.bytes) return;
    throw new CheckProblem(
      'status',
      `The checks used up the ${caps.bytes / 1e6} MB allowed for ${host}. Raise its limit at /targets, or choose smaller responses.`,
    );
  }

  #closed(socket: Socket): void {
    if (!this.#open.delete(socket)) return;
    this.#closedBytes += bytesOf(socket);
    this.#leavePlace();
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    if (this.#places > 0) {
      this.#places--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const leave = () => {
      this.#waiting = this.#waiting.filter((each) => each !== resolve);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await promise.catch(() => this.#tooSlow()).finally(() => signal.removeEventListener('abort', leave));
  }

  #leavePlace(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#places++;
    else next();
  }

  #tooSlow(): never {
    const { host, caps } = this.#permit;
    throw new CheckProblem(
      'connect',
      `The checks could not finish in time within the limits of ${host}: ${caps.connections} connections and ${caps.requestsPerS} requests per second. Raise them at /targets.`,
    );
  }
}

function bytesOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}

/** More than any chain has. */
const mostCertificates = 20;

/** The certificates that a server sent, its own first. */
export function readChain(leaf: X509Certificate | undefined): ProbedCertificate[] {
  const chain: X509Certificate[] = [];
  for (
    let next = leaf;
    next !== undefined && chain.length < mostCertificates;
    next = next.issuerCertificate
  ) {
    // A certificate that signed itself is its own issuer.
    if (chain.some(({ raw }) => next?.raw.equals(raw))) break;
    chain.push(next);
  }
  return chain.map((certificate) => ({
    subject: commonNameIn(certificate.subject),
    issuer: commonNameIn(certificate.issuer),
    key: keyOf(certificate) ?? 'unknown',
    validFrom: dayOf(certificate.validFrom),
    validTo: dayOf(certificate.validTo),
    bytes: certificate.raw.length,
  }));
}

/** The common name, or all there is. */
export function commonNameIn(distinguished: string | undefined): string {
  const lines = (distinguished ?? '').split('\n').filter((line) => line !== '');
  return lines.find((line) => line.startsWith('CN='))?.slice('CN='.length) ?? (lines.join(', ') || 'no name');
}

function dayOf(date: string): string {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toISOString().slice(0, 10);
}

export type Inspection = {
  scenario: Scenario;
  tls: TlsProfile;
  connectionPolicy: ConnectionPolicy;
  /** Patience with one connection, one handshake or one answer. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Of both sides together; null on this machine. */
  budget: CheckBudget | null;
  /** Of both sides. */
  hostnames: readonly string[];
};

/** An absolute address in a page that leads to the other scheme of the same host. */
type SchemeLink = {
  /** A browser loads resources by itself, sends forms for the user, and follows links only when told to. */
  kind: 'resource' | 'form' | 'link';
  url: string;
};

type PageFindings = {
  /** The first of each kind. */
  links: SchemeLink[];
  /** A policy in the page makes a browser ask for everything over https. */
  upgrades: boolean;
};

/** @param scheme of the page; other hosts than `hostnames` are nobody's side */
export function findSchemeLinks(
  html: string,
  scheme: 'http' | 'https',
  hostnames: readonly string[],
): PageFindings {
  const found = new Map<SchemeLink['kind'], SchemeLink>();
  let upgrades = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'meta' && attributes['http-equiv']?.toLowerCase() === 'content-security-policy') {
        upgrades ||= upgradesRequests(attributes.content ?? '');
      }
      for (const { kind, url } of addressesIn(tag, attributes)) {
        if (!found.has(kind) && leadsAcross(url, scheme, hostnames)) found.set(kind, { kind, url });
      }
    },
  });
  parser.end(html);
  return { links: [...found.values()], upgrades };
}

export function upgradesRequests(policy: string): boolean {
  return /(^|[;,\s])upgrade-insecure-requests($|[;,\s])/i.test(policy);
}

const sources: Record<string, readonly string[]> = {
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  iframe: ['src'],
  frame: ['src'],
  audio: ['src'],
  video: ['src', 'poster'],
  track: ['src'],
  embed: ['src'],
  object: ['data'],
  input: ['src'],
  base: ['href'],
};

function addressesIn(tag: string, attributes: Record<string, string>): SchemeLink[] {
  const of = (kind: SchemeLink['kind'], name: string) =>
    (attributes[name] ?? '')
      .split(name === 'srcset' ? /,\s+/ : /$^/)
      .map((part) => ({ kind, url: name === 'srcset' ? (part.trim().split(/\s/)[0] ?? '') : part.trim() }))
      .filter(({ url }) => url !== '');
  if (tag === 'a' || tag === 'area') return of('link', 'href');
  if (tag === 'form') return of('form', 'action');
  // What a page says about its address is read by search engines, and loads nothing.
  const loads = /\b(stylesheet|icon|preload|modulepreload|manifest|prefetch)\b/i;
  if (tag === 'link') return loads.test(attributes.rel ?? '') ? of('resource', 'href') : [];
  return [...of('form', 'formaction'), ...(sources[tag] ?? []).flatMap((name) => of('resource', name))];
}

function leadsAcross(text: string, scheme: string, hostnames: readonly string[]): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  if (url === null) return false;
  return url.protocol !== `${scheme}:` && hostnames.includes(url.hostname.replace(/^\[|\]$/g, ''));
}

/** A step's response, and what is needed besides to judge it. */
export type Answer = {
  step: Step;
  response: PreflightSide['responses'][number];
  /** From sending it on an open connection. */
  firstByteUs: number;
  /** Of the side. */
  origin: string;
  /** As it was sent. */
  path: string;
  /** In lower case; of cookies the names only. */
  headers: [name: string, value: string][];
  secureCookies: string[];
  /** Cookies that the scenario's jar does not keep. */
  droppedCookies: DroppedCookie[];
  /** Of the body as text; null when it is none. */
  textLength: number | null;
  /** Of the body as text, without the address of its own side; null when it is no text. */
  neutralSha256: string | null;
  /** Addresses of the other scheme, and whether a policy asks for it. */
  links: SchemeLink[];
  upgrades: boolean;
  /** Taken from this response for later steps. */
  variables: { name: string; value: string }[];
  /** What a check or a rule finds wrong. */
  problem: string | null;
  /** The server closes the connection after this response. */
  closes: boolean;
};
