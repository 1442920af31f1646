import { isCounting, isSame, type PlacedOption, sideNameOf, valueIn } from '../base/option.ts';
import { printNumber, printShare } from '../base/quantity.ts';
import { joinValues, printCipher, printTlsVersion } from '../base/tls.ts';
import type { NegotiatedTls } from '../base/tls-profile.ts';
import { type BySide, bySide, printHttpVersion, transportFacts } from '../base/transport.ts';
import { comparisonOptions } from '../kinds/comparison/options.ts';
import type { RunDocument, SideTls } from '../kinds/comparison/run.ts';
import { askedSidesOf, type RunRequest, resolveSides } from '../kinds/comparison/run-request.ts';
import type { ServerFlight } from '../target/preflight.ts';
import { listed } from './example-words.ts';
import { newPerRequest, printTwoDigits } from './precision-words.ts';
import { differencesOfSides } from './side-words.ts';

/** Actual differences between two sides that were not requested: a result may be due to them. */

/** Options by which the sides were to differ, where a request has them. */
type Asked = ReadonlySet<string>;

type Run = Pick<RunDocument, 'target' | 'asked' | 'sides' | 'tls' | 'fairness' | 'preflight' | 'connections'>;

/** In two sentences, beside a verdict; null where nothing else is known to differ. */
export function unaskedInWords(run: Run): string | null {
  const asked = new Set(differencesOfSides(askedSidesOf(run)).map(({ id }) => id));
  const { tls, preflight } = run;
  const [baseline, comparison] = [tls.baseline.negotiated, tls.comparison.negotiated];
  const ofTls =
    baseline === null || comparison === null
      ? []
      : [
          ...unaskedOfTls({ baseline, comparison }, asked).map(printUnasked),
          ...unaskedOfChain(
            bySide((side) => preflight?.sides[side].serverFlight ?? null),
            asked,
          ),
          ...unaskedOfResumption(tls, asked),
        ];
  const all = [...ofTls, ...unaskedOfHttp(run), ...unaskedOfConnections(run)];
  if (all.length === 0) return null;
  return `The sides also differ in ${listed(all)}. Part of the difference may come from that.`;
}

/** Something that differs, such as `the cipher suite`, and what each side has. */
type Unasked = { name: string } & BySide<string>;

/** Version, suite, group, and key. Unknown values differ from nothing. */
export function unaskedOfTls(negotiated: BySide<NegotiatedTls>, asked: Asked): Unasked[] {
  return tlsParts.flatMap(({ id, name, read }) => {
    const { baseline, comparison } = bySide((side) => read(negotiated[side]));
    if (baseline === null || comparison === null || baseline === comparison || asked.has(id)) return [];
    return [{ name, baseline, comparison }];
  });
}

/** `the cipher suite (AES-256-GCM → AES-128-GCM)`. */
function printUnasked({ name, baseline, comparison }: Unasked): string {
  return `${name} (${joinValues(baseline, comparison)})`;
}

const tlsParts: { id: string; name: string; read(negotiated: NegotiatedTls): string | null }[] = [
  { id: 'tls.version', name: 'the TLS version', read: ({ protocol }) => printTlsVersion(protocol) },
  { id: 'tls.cipher', name: 'the cipher suite', read: ({ cipher }) => printCipher(cipher) },
  { id: 'tls.group', name: 'the key agreement group', read: ({ group }) => group },
  { id: 'target.key', name: 'the server key', read: ({ key }) => key },
];

/** Signatures of one kind differ in length by a few bytes. */
const sameShare = 0.05;

/** The certificates that the servers send, or where those are alike, all that they send in a full handshake. */
function unaskedOfChain({ baseline, comparison }: BySide<ServerFlight | null>, asked: Asked): string[] {
  if (baseline === null || comparison === null) return [];
  const isChainAsked = asked.has('target.key') || asked.has('target.chain');
  const isSameChain =
    baseline.certificates === comparison.certificates &&
    isAbout(baseline.certificateBytes, comparison.certificateBytes);
  if (!isSameChain)
    return isChainAsked ? [] : [`the certificates (${joinValues(chainOf(baseline), chainOf(comparison))})`];
  const isHandshakeAsked = [...asked].some(
    (id) => id.startsWith('tls.') || id === 'target.clientCertificates',
  );
  if (isChainAsked || isHandshakeAsked || isAbout(baseline.bytes, comparison.bytes)) return [];
  const [from, to] = [baseline, comparison].map(({ bytes }) => printNumber(bytes, 0));
  return [`what the server sends in a full handshake (${from} → ${to} bytes)`];
}

function chainOf({ certificates, certificateBytes }: ServerFlight): string {
  return `${certificates} of ${printNumber(certificateBytes, 0)} bytes`;
}

function isAbout(one: number, other: number): boolean {
  return Math.abs(one - other) <= sameShare * Math.max(one, other);
}

/** A few connections are opened before there is a session. */
const sameResumption = 0.1;

function unaskedOfResumption({ baseline, comparison }: Run['tls'], asked: Asked): string[] {
  if ([...asked].some((id) => /\.(resumption|resumedShare)$/.test(id))) return [];
  const [from, to] = [resumedOf(baseline), resumedOf(comparison)];
  if (from === null || to === null || Math.abs(from - to) <= sameResumption) return [];
  return [`the share of resumed handshakes (${joinValues(printShare(from), printShare(to))})`];
}

function resumedOf({ handshakes: { full, resumed } }: SideTls): number | null {
  return full + resumed === 0 ? null : resumed / (full + resumed);
}

/** Tolerance for requests in flight when a block begins or ends, and for chance. */
const [sameConnections, fewestConnections] = [0.1, 0.001];

/** A server that closes connections sooner on one side, where that is too little to refuse the comparison, or part of what was asked. */
function unaskedOfConnections({ connections }: Run): string[] {
  if (connections === undefined) return [];
  const { baseline, comparison } = bySide((side) => newPerRequest(connections[side]));
  const most = Math.max(baseline, comparison);
  if (most < fewestConnections || Math.abs(baseline - comparison) <= sameConnections * most) return [];
  return [`the new connections per request (${printTwoDigits(baseline)} → ${printTwoDigits(comparison)})`];
}

/** With TLS on one side alone, its version is said even where it was asked for: it is no part of what TLS costs. */
function unaskedOfHttp({ fairness, sides: { baseline, comparison } }: Run): string[] {
  if (fairness === null) return [];
  const [from, to] = [fairness.baseline.httpVersion, fairness.comparison.httpVersion];
  if (from === to || from === 'unknown' || to === 'unknown') return [];
  const [one, other] = [baseline, comparison].map(({ transport }) => transportFacts[transport]);
  const isQuestion = one?.httpVersion !== other?.httpVersion && one?.encrypted === other?.encrypted;
  return isQuestion ? [] : [`the HTTP version (${joinValues(printHttpVersion(from), printHttpVersion(to))})`];
}

/** Options of the plan that make another question. */
const ofQuestion = [
  'users',
  'connectionPolicy',
  'requestsPerConnection',
  'thinkTimeScale',
  'pairUsers',
  'link',
];

/**
 * Common settings of both sides that are not the default, each as a list item: `one transaction, as a visit does`, `RSA-2048`. Two
 * questions with the same sides differ by them.
 */
export function commonSettings(request: RunRequest): string[] {
  const { baseline, comparison } = resolveSides(request);
  return comparisonOptions.flatMap((placed) => {
    const { id, part, option } = placed;
    if (part === null && !ofQuestion.includes(id)) return [];
    if (part === 'target' && request.target.kind !== 'managed') return [];
    const value = part === null ? valueIn(request, placed) : shared(placed, baseline, comparison);
    if (value === undefined || value === null || isSame(value, option.default)) return [];
    if (!isOn(placed, request, comparison)) return [];
    return [sideNameOf(option, value)];
  });
}

/** Undefined where the sides differ by it. */
function shared(placed: PlacedOption, baseline: object, comparison: object): unknown {
  const [one, other] = [valueIn(baseline, placed), valueIn(comparison, placed)];
  return isSame(one, other) ? other : undefined;
}

function isOn(placed: PlacedOption, request: RunRequest, side: object): boolean {
  const beside = { ...placed, name: placed.option.when?.option ?? '' };
  return isCounting(placed.option, valueIn(placed.part === null ? request : side, beside));
}
