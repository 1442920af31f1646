import {
  printDifference,
  printNumber,
  printQuantity,
  printShare,
  printSigned,
  scaleFor,
} from '../base/quantity.ts';
import { joinValues, printCipher, printTlsVersion } from '../base/tls.ts';
import type { NegotiatedTls, TlsProfile } from '../base/tls-profile.ts';
import { type BySide, bySide, isEncrypted, type KnownSide, labelsOf, sideNames } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { savingInWords } from '../kinds/comparison/link.ts';
import type { ConnectionPolicy, Plan } from '../kinds/comparison/load-profile.ts';
import type { Program, ProgramCost, Tie } from '../kinds/comparison/program.ts';
import type { FairnessSide, RunDocument, SideTls } from '../kinds/comparison/run.ts';
import type { Spoken } from '../kinds/visits/visits.ts';
import type { GeneratorHost, HostsUsed } from '../measurement/runner.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { ServerFlight } from '../target/preflight.ts';

/**
 * Each program's part of the difference: `in nginx +25 µs (24 to 26), in node behind it −2 µs (−9 to +5)`. If the sides go through different
 * programs, those come first; if they share none, nothing follows. Null if the target works alone.
 */
export function programsInWords({ cpuOf, sides }: Pick<RunDocument, 'cpuOf' | 'sides'>): string | null {
  if (cpuOf === undefined) return null;
  const chains = chainsOf(cpuOf);
  const labels = labelsOf(sides);
  const through =
    chains === null
      ? []
      : [sideNames.map((side) => `${labels[side]} goes through ${listOf(chains[side])}`).join(', ')];
  const isShared = chains === null || chains.baseline.some((name) => chains.comparison.includes(name));
  const parts = isShared ? inSum(cpuOf).map((each) => `in ${nameInSentence(each)} ${partOf(each)}`) : [];
  return [...through, ...(parts.length === 0 ? [] : [parts.join(', ')])].join('; ');
}

function inSum(cpuOf: readonly ProgramCost[]): readonly ProgramCost[] {
  return cpuOf.filter(({ role }) => role !== 'kernel');
}

/** Difference of a program between the sides; late work belongs to neither. */
function partOf({ delta, baseline, lateUs }: ProgramCost): string {
  if (lateUs === undefined) return differenceOf(delta);
  const scale = scaleFor('us', [baseline.center]);
  return `${printQuantity(baseline.center, scale)} on either side, because it works after the requests (±${printQuantity(lateUs / 2, scale)})`;
}

/** Names of sides in a verdict if they go through different programs: `nginx alone` and `HTTPS through hitch`. */
export function namedByChain(
  sides: BySide<KnownSide>,
  cpuOf: readonly ProgramCost[] | undefined,
): BySide<KnownSide> {
  const chains = cpuOf === undefined ? null : chainsOf(cpuOf);
  if (chains === null || sideNames.some((side) => sides[side].name !== undefined)) return sides;
  const labels = labelsOf(sides);
  return bySide((side) => {
    const [first = '', ...more] = chains[side];
    const isAlone = side === 'baseline' && more.length === 0;
    return { ...sides[side], name: isAlone ? `${first} alone` : `${labels[side]} through ${first}` };
  });
}

/** Smallest share of a side's CPU. A program below it is idle on that side, and its clock hardly moves. */
const leastShare = 0.01;

/** Names of the programs that work for each side, the one that its requests come to first; null where both sides have the same. */
function chainsOf(all: readonly ProgramCost[]): BySide<string[]> | null {
  const cpuOf = inSum(all);
  const chains = bySide((side) => {
    const whole = cpuOf.reduce((sum, program) => sum + program[side].center, 0);
    const takes = (program: ProgramCost) => program.sides?.includes(side) === true;
    const working = cpuOf.filter((each) => takes(each) || each[side].center > leastShare * whole);
    return [...new Set([...working.filter(takes), ...working].map(({ name }) => name))];
  });
  const areAlike = chains.baseline.join() === chains.comparison.join();
  return areAlike || cpuOf.every((program) => program.sides === undefined) ? null : chains;
}

/** `nginx alone`, `hitch and nginx`, `hitch, nginx, and node`. */
function listOf(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return `${first} alone`;
  return names.length === 2
    ? `${first} and ${second}`
    : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

/** Programs that ended while they were measured, each in a sentence. */
export function endedInWords(programs: readonly Program[] = []): string[] {
  return programs
    .filter(({ ended }) => ended === true)
    .map(
      ({ name }) =>
        `${name}, which works for the requests, ended or was restarted during the run. Its CPU after that is not counted. Keep it running, and repeat the run.`,
    );
}

function nameInSentence({ name, role, tie, part }: Program): string {
  if (part === 'server') return `${name}, the server,`;
  if (part === 'forwarder') return `${name}, a forwarder,`;
  if (role === 'target') return name;
  return tie === null || tie === 'cgroup' ? `${name} beside it` : `${name} behind it`;
}

function differenceOf({ center, lo, hi }: Estimate): string {
  const scale = scaleFor('us', [center, lo, hi], [(hi - lo) / 2]);
  const ends = [lo, hi].map((end) => {
    const isSigned = lo < 0 || hi < 0;
    return isSigned ? printSigned(end, scale) : printQuantity(end, { ...scale, symbol: '' }).trim();
  });
  return `${printDifference(center, scale)} (${ends.join(' to ')})`;
}

const ties: Record<Tie, string> = {
  connection: 'a connection',
  'unix-socket': 'a Unix socket',
  port: 'the same port',
  cgroup: 'the same control group',
};

/** Caveats about the figures of programs; empty without any. */
export function doubtsOfPrograms({ cpuOf = [] }: Pick<RunDocument, 'cpuOf'>): string[] {
  return cpuOf.flatMap(({ name, role, children, lateUs }) => [
    ...(lateUs === undefined
      ? []
      : [
          `The program ${name} works after the requests, when the other side may have its turn. Its cost is divided evenly between the sides.`,
        ]),
    ...(children === undefined
      ? []
      : [`The program ${name} starts processes that end with the request. ${ofChildren[children]}`]),
    ...(role === 'kernel'
      ? ['The kernel’s own threads (ksoftirqd, kworker) work for all programs. No sum includes them.']
      : []),
  ]);
}

const ofChildren = {
  cgroup: 'Their CPU is read from its control group.',
  ticks: 'Their CPU is known in steps of 10 ms, from the process that waits for them.',
  lost: 'Some of their CPU is not counted, because no process waits for them.',
} as const;

/** How a program is connected to the target, in a cell of a table. */
export function tieInWords({ role, tie, part }: Pick<Program, 'role' | 'tie' | 'part'>): string {
  if (role === 'kernel') return 'not in the sum';
  const found = role === 'target' ? 'the target' : tie === null ? 'its CPU alone' : ties[tie];
  if (part === undefined) return found;
  return `${found}, ${part === 'server' ? 'the server' : 'a forwarder'}`;
}

/** Properties of both sides' connections, as rows of a table: on the page and in reports. */

type Row = { name: string } & BySide<string>;

const none = '–';

/** Without TLS on either side, the connections alone. */
export function tlsFacts({
  tls,
  sides,
  preflight,
  link,
}: Pick<RunDocument, 'tls' | 'sides' | 'preflight' | 'link'>): Row[] {
  const isOf = bySide((side) => isEncrypted(sides[side].transport));
  const row = (name: string, read: (side: SideTls) => string, plain = none): Row => ({
    name,
    ...bySide((side) => (isOf[side] ? read(tls[side]) : plain)),
  });
  const ofTls = [
    row(
      'TLS version and suite',
      ({ negotiated }) =>
        negotiated === null ? none : `${printTlsVersion(negotiated.protocol)}, ${negotiated.cipher}`,
      'not encrypted',
    ),
    row('Key agreement and server key', ({ negotiated }) => {
      const parts = [negotiated?.group, negotiated?.key].filter((part) => part != null);
      return parts.join(' with ') || none;
    }),
    ...flightRows(preflight, link),
    row('ALPN', ({ negotiated }) => negotiated?.alpn ?? 'none'),
    row('Handshakes', ({ handshakes }) => handshakesInWords(handshakes)),
  ];
  return [
    ...(sideNames.some((side) => isOf[side]) ? ofTls : []),
    { name: 'Connections opened', ...bySide((side) => printNumber(tls[side].connections, 0)) },
  ];
}

/** Only where a side compresses its certificates. */
function flightRows(preflight: RunDocument['preflight'], link: RunDocument['link']): Row[] {
  const flights = bySide((side) => preflight?.sides[side].serverFlight);
  if (sideNames.every((side) => flights[side]?.uncompressedBytes === undefined)) return [];
  const print = (flight: ServerFlight | undefined) =>
    flight === undefined ? none : flightInWords(flight, link);
  return [{ name: 'Server’s part of a full handshake', ...bySide((side) => print(flights[side])) }];
}

/** `1,350 bytes`; of compressed certificates also what they were and what that saves. */
function flightInWords({ bytes, uncompressedBytes }: ServerFlight, link: RunDocument['link']): string {
  const sent = `${printNumber(bytes, 0)} bytes`;
  return uncompressedBytes === undefined
    ? sent
    : `${sent} instead of ${printNumber(uncompressedBytes, 0)}. Compression saves ${savingInWords(uncompressedBytes, bytes, link)}`;
}

/** `8 full`, `120 full and 480 resumed (80 %)`. */
function handshakesInWords({ full, resumed }: SideTls['handshakes']): string {
  if (resumed === 0) return `${printNumber(full, 0)} full`;
  const share = printShare(resumed / (full + resumed));
  return `${printNumber(full, 0)} full and ${printNumber(resumed, 0)} resumed (${share})`;
}

/** TLS as people write it, where results stand side by side. */

/** Negotiated parameters of a side; null without TLS, and before anything was negotiated. */
type Negotiated = Pick<NegotiatedTls, 'protocol' | 'cipher'> | null;

/**
 * `TLS 1.3, AES-256-GCM`: version and cipher of what was negotiated, from the baseline to the comparison where they differ, as in
 * `TLS 1.2 → TLS 1.3, AES-256-GCM`. Null where there was no TLS, or none yet.
 */
export function negotiatedWords({ baseline, comparison }: BySide<Negotiated>): string | null {
  const [from, to] = [baseline ?? comparison, comparison ?? baseline];
  if (from === null || to === null) return null;
  return [
    joinValues(printTlsVersion(from.protocol), printTlsVersion(to.protocol)),
    joinValues(printCipher(from.cipher), printCipher(to.cipher)),
  ].join(', ');
}

type Body = Pick<FairnessSide, 'contentEncoding' | 'bodyBytesPerTransaction'>;

/** `gzip, 21 kB`: the coding and the size of a transaction's bodies, as they came. */
export function bodyWords({ contentEncoding, bodyBytesPerTransaction: bytes }: Body): string {
  const coding = contentEncoding === '' ? 'not compressed' : contentEncoding;
  return bytes === null ? coding : `${coding}, ${printQuantity(bytes, scaleFor('bytes', [bytes]))}`;
}

/** Steps whose bodies the load generator decodes, in words; null where it decodes none. */
export function decodedWords({ contentEncoding }: Body, { steps }: Pick<Scenario, 'steps'>): string | null {
  const sent = steps.filter(({ enabled }) => enabled);
  const read = sent.filter(
    ({ checks, extract }) => checks.length > 0 || extract.some(({ from }) => from !== 'header'),
  );
  if (contentEncoding === '' || contentEncoding === 'unknown' || read.length === 0) return null;
  return `${read.length} of ${sent.length} ${sent.length === 1 ? 'step' : 'steps'}, to check or extract: client CPU`;
}

/** `round trip 0.3 ms, clock +12 ms, turns within 0.1 ms`. */
export function clockInWords(clock: GeneratorHost['clock']): string {
  if (clock === null) return 'clock not known yet';
  const { offsetMs, withinUs, roundTripUs } = clock;
  const sign = offsetMs < 0 ? '−' : '+';
  return `round trip ${ms(roundTripUs)}, clock ${sign}${printNumber(Math.abs(offsetMs), 1)} ms, turns within ${ms(withinUs)}`;
}

/** One line of a whole measurement. */
export function hostsInWords({ hosts, idleShare, losses }: HostsUsed): string {
  const names = hosts.map(({ name }) => name).join(', ');
  const lost = losses === 0 ? '' : `; lost and back ${losses === 1 ? 'once' : `${losses} times`}`;
  return `${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'} (${names}), idle between turns ${printNumber(100 * idleShare, 1)} % of the time${lost}`;
}

/** `load from 3 hosts`. */
export function hostCountInWords({ hosts }: Pick<HostsUsed, 'hosts'>): string {
  return `load from ${hosts.length === 1 ? '1 host' : `${hosts.length} hosts`}`;
}

/** Hosts that were at their limit. */
export function saturatedIn({ hosts }: HostsUsed): string[] {
  return hosts.filter(({ limited }) => limited).map(({ name }) => name);
}

function ms(us: number): string {
  return `${printNumber(us / 1000, us < 10_000 ? 2 : 0)} ms`;
}

type Software = { title: string; version: string | null; tlsLibrary: string | null };

/** `nginx 1.22.1, OpenSSL 3.0.19`. */
export function softwareInWords({ title, version, tlsLibrary }: Software): string {
  return `${[title, version].filter(Boolean).join(' ')}, ${tlsLibrary ?? 'TLS library not readable'}`;
}

/** Plan of a run, in words: on its page, and where it distinguishes two runs. */

const policyWords: Record<ConnectionPolicy, string> = {
  'keep-alive': 'kept open',
  'connection-per-transaction': 'a new one for each transaction',
  'connection-per-request': 'a new one for each request',
  'requests-per-connection': 'a new one after a fixed number of requests',
};

/** `kept open`. */
export function connectionsInWords({ connectionPolicy, requestsPerConnection }: Plan): string {
  return connectionPolicy === 'requests-per-connection'
    ? `a new one after ${printNumber(requestsPerConnection, 0)} requests`
    : policyWords[connectionPolicy];
}

/** `best version of both ends, no resumption`, `TLS 1.2, no resumption, X25519`. */
export function tlsInWords(tls: TlsProfile): string {
  const { version, resumption, resumedShare, cipher, group, verify, certificateCompression } = tls;
  const resumes = {
    none: 'no resumption',
    tickets: 'resumption by tickets',
    mix: `${printNumber(resumedShare * 100, 0)} % of the new connections resume`,
  };
  return [
    version === null ? 'best version of both ends' : printTlsVersion(version),
    resumes[resumption],
    ...(cipher === null ? [] : [cipher]),
    ...(group === null ? [] : [group]),
    ...(certificateCompression === 'none' ? [] : [`certificates in ${certificateCompression}`]),
    ...(verify ? [] : ['certificate not checked']),
  ].join(', ');
}

/** `120 transactions/s`; what was asked for, or found out. */
export function rateInWords(plan: Plan): string {
  if (!hasOpenLoad(plan)) return 'not measured at a rate';
  const rate = plan.ratePerS;
  return rate === null ? 'not settled' : `${printNumber(rate, rate < 100 ? 1 : 0)} transactions/s`;
}

export function hasOpenLoad(plan: Plan): boolean {
  return plan.openMs !== null;
}

/** `HTTP/1.1 → HTTP/2, TLS 1.3, AES-128-GCM, X25519MLKEM768`: what a browser and both sides agreed on. */
export function spokenWords({ baseline, comparison }: BySide<Spoken>): string {
  const protocols = [baseline, comparison].map((side) => side.protocols.map(printProtocol).join(' and '));
  const tls = comparison.tls ?? baseline.tls;
  return [
    joinValues(protocols[0] ?? '', protocols[1] ?? ''),
    ...(tls === null ? [] : [tls.protocol, tls.cipher.replaceAll('_', '-'), tls.group]),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** `HTTP/3` of `h3`. */
export function printProtocol(protocol: string): string {
  const known: Record<string, string> = { h2: 'HTTP/2', h3: 'HTTP/3' };
  return known[protocol] ?? protocol.toUpperCase();
}

export function negotiatedInFull({ protocol, cipher, group, key }: NegotiatedTls): string {
  return [printTlsVersion(protocol), cipher, group, key].filter((part) => part !== null).join(', ');
}
