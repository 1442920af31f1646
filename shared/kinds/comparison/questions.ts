import { either } from '../../base/option.ts';
import { printShare } from '../../base/quantity.ts';
import type { BySide } from '../../base/transport.ts';
import { type ServerName, serverNames } from '../../target/server-options.ts';
import { serverTitles } from '../../target/target-words.ts';
import type { RunRequestInput, SidesRequestInput } from './run-request.ts';

/**
 * Questions that a run can answer, as what they put into its request. Without Zod, because the first page offers them. A new one is
 * an entry here.
 */

export type Question = {
  /** The comparison or the baseline, as in “HTTPS or HTTP”. */
  title: string;
  /** Names of the sides in a sentence: “What does HTTPS cost, compared with HTTP?” */
  names: BySide<string>;
  /** Content of its answer, in a sentence. */
  tells: string;
  /** Settings that differ between the sides. */
  sides: BySide<NonNullable<SidesRequestInput['baseline']>>;
  both?: { connectionPolicy?: RunRequestInput['connectionPolicy']; target?: { documents: number[] } };
  storefront: boolean;
  /** Addresses of a running target: where the client alone decides. */
  origins: boolean;
  /** Servers that can answer it, each with any requirement beyond being installed; null for none. */
  servers: Partial<Record<ServerName, string | null>>;
};

/** With connections kept open, handshakes cost next to nothing, whatever they are. */
const ofHandshakes = { connectionPolicy: 'connection-per-transaction' } as const;

const allServers = Object.fromEntries(serverNames.map((name) => [name, null])) as Record<ServerName, null>;
const { stunnel: _, jdk: __, ...offerHttp2 } = allServers;
const { h2o: ___, ...askForCertificates } = allServers;
/** First versions of OpenSSL and Go with ML-KEM. */
const [since35, since124] = ['OpenSSL 3.5', 'Go 1.24'];

const table = {
  https: {
    title: 'HTTPS or HTTP',
    names: { baseline: 'HTTP', comparison: 'HTTPS' },
    tells: 'What encryption costs, with connections kept open.',
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
    ...{ storefront: true, origins: true, servers: allServers },
  },
  'tls-version': {
    title: 'TLS 1.3 or 1.2',
    names: { baseline: 'TLS 1.2', comparison: 'TLS 1.3' },
    tells: 'What a new connection costs with TLS 1.3, compared with TLS 1.2.',
    sides: {
      baseline: { transport: 'https', tls: { version: 'TLSv1.2' } },
      comparison: { transport: 'https', tls: { version: 'TLSv1.3' } },
    },
    both: ofHandshakes,
    ...{ storefront: true, origins: true, servers: allServers },
  },
  key: {
    title: 'ECDSA or RSA',
    names: { baseline: 'ECDSA P-256', comparison: 'RSA-2048' },
    tells: 'What a new connection costs with an RSA-2048 certificate, compared with ECDSA P-256.',
    sides: {
      baseline: { transport: 'https', target: { key: 'P-256' } },
      comparison: { transport: 'https', target: { key: 'RSA-2048' } },
    },
    both: ofHandshakes,
    ...{ storefront: false, origins: false, servers: allServers },
  },
  'post-quantum': {
    title: 'Post-quantum or not',
    names: { baseline: 'X25519', comparison: 'X25519MLKEM768' },
    tells: 'What a new connection costs with X25519MLKEM768, compared with X25519.',
    sides: {
      baseline: { transport: 'https', tls: { group: 'X25519' } },
      comparison: { transport: 'https', tls: { group: 'X25519MLKEM768' } },
    },
    both: ofHandshakes,
    ...{ storefront: true, origins: true },
    servers: {
      ...{ nginx: since35, apache: since35, lighttpd: since35, haproxy: since35 },
      ...{ h2o: since35, hitch: since35, stunnel: since35, caddy: 'Caddy 2.10' },
      ...{ envoy: null, go: since124, node: null },
    },
  },
  resumption: {
    title: 'Resumed or not',
    names: { baseline: 'a full handshake', comparison: 'a resumed session' },
    tells: 'What a new connection saves when it resumes a session.',
    sides: {
      baseline: { transport: 'https', tls: { resumption: 'none' } },
      comparison: { transport: 'https', tls: { resumption: 'tickets' } },
    },
    both: ofHandshakes,
    ...{ storefront: true, origins: true, servers: allServers },
  },
  'certificate-compression': {
    title: 'Compressed certificates or not',
    names: { baseline: 'plain certificates', comparison: 'certificates in brotli' },
    tells: 'What a new connection costs with certificates that the server compresses with brotli.',
    sides: {
      baseline: { transport: 'https', tls: { certificateCompression: 'none' } },
      comparison: { transport: 'https', tls: { certificateCompression: 'brotli' } },
    },
    both: ofHandshakes,
    ...{ storefront: true, origins: true, servers: { node: null } },
  },
  'mutual-tls': {
    title: 'Mutual TLS or not',
    names: { baseline: 'server-only TLS', comparison: 'mutual TLS' },
    tells: 'What a new connection costs when the client presents a certificate too.',
    sides: {
      baseline: { transport: 'https', target: { clientCertificates: false } },
      comparison: { transport: 'https', target: { clientCertificates: true } },
    },
    both: ofHandshakes,
    ...{ storefront: false, origins: false, servers: askForCertificates },
  },
  'kernel-tls': {
    title: 'Kernel TLS or not',
    names: { baseline: 'TLS in the server', comparison: 'kernel TLS' },
    tells: 'What a server saves when it leaves encryption to the kernel, with a document of 1 MB.',
    sides: {
      baseline: { transport: 'https', target: { kTls: false } },
      comparison: { transport: 'https', target: { kTls: true } },
    },
    both: { target: { documents: [1_000_000] } },
    ...{ storefront: false, origins: false, servers: { nginx: 'a kernel with tls' } },
  },
  'http-version': {
    title: 'HTTP/2 or 1.1',
    names: { baseline: 'HTTP/1.1', comparison: 'HTTP/2' },
    tells: 'What HTTP/2 costs, compared with HTTP/1.1, with TLS on both sides.',
    sides: { baseline: { transport: 'https' }, comparison: { transport: 'h2' } },
    ...{ storefront: true, origins: true, servers: offerHttp2 },
  },
  server: {
    title: 'This server or that one',
    names: { baseline: 'this server', comparison: 'that server' },
    tells: 'What one server costs, compared with another, over HTTPS.',
    sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } },
    ...{ storefront: false, origins: true, servers: allServers },
  },
  library: {
    title: 'This TLS library or that one',
    names: { baseline: 'this TLS library', comparison: 'that TLS library' },
    tells: 'What a new connection costs with one TLS library, compared with another, in the same server.',
    sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } },
    both: ofHandshakes,
    ...{ storefront: false, origins: false },
    // The others contain their library.
    servers: {
      ...{ nginx: null, apache: null, lighttpd: null, haproxy: null },
      ...{ h2o: null, hitch: null, stunnel: null },
    },
  },
  tickets: {
    title: 'Session tickets or none',
    names: { baseline: 'no tickets', comparison: '2 tickets' },
    tells: 'What two session tickets cost on a new connection.',
    sides: {
      baseline: { transport: 'https', target: { tickets: 0 } },
      comparison: { transport: 'https', target: { tickets: 2 } },
    },
    both: ofHandshakes,
    ...{ storefront: false, origins: false, servers: { nginx: null, apache: null, stunnel: null } },
  },
  'record-size': {
    title: 'Small records or large',
    names: { baseline: '16 KiB records', comparison: '4 KiB records' },
    tells: 'What records of 4 KiB cost, compared with 16 KiB, with a document of 1 MB.',
    sides: {
      baseline: { transport: 'https', target: { recordSize: 16_384 } },
      comparison: { transport: 'https', target: { recordSize: 4096 } },
    },
    both: { target: { documents: [1_000_000] } },
    ...{ storefront: false, origins: false, servers: { nginx: null } },
  },
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof table;
export const questionNames = Object.keys(table) as QuestionName[];
export const questions: Record<QuestionName, Question> = table;

/** Target on which a question is asked. */
export type Place = 'storefront' | 'origins' | ServerName;

export const places: readonly Place[] = ['storefront', ...serverNames, 'origins'];

export function canAnswer(name: QuestionName, place: Place): boolean {
  const question = questions[name];
  if (place === 'storefront' || place === 'origins') return question[place];
  return question.servers[place] !== undefined;
}

/** The server that another one is compared with, where nobody has named it: Node is wherever this program is. */
export function otherServerThan(server: ServerName): ServerName {
  return server === 'node' ? 'nginx' : 'node';
}

/** Why a question cannot be asked there, and where it can; null where it can be. */
export function questionProblem(name: QuestionName, place: Place): string | null {
  if (canAnswer(name, place)) return null;
  const able = places.filter((each) => canAnswer(name, each)).map(nameOfPlace);
  return `“${questions[name].title}” needs ${either.format(able)}: ${nameOfPlace(place)} cannot answer it.`;
}

export function nameOfPlace(place: Place): string {
  if (place === 'storefront') return 'the demo shop';
  return place === 'origins' ? 'a target of your own' : serverTitles[place];
}

const runsToPool = 3;

/** @param between half-width of one run's interval by what moves between runs alone, as a share of the ratio */
export function runsDiffer(between: number): string {
  const pooled = between / Math.sqrt(runsToPool);
  return `Runs differ by about ±${printShare(between)}. A longer run does not narrow that; three runs do, to about ±${printShare(pooled)}.`;
}
