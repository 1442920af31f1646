import { printNumber, printQuantity, printWholePercent, scaleFor } from '../base/quantity.ts';
import { printTlsVersion } from '../base/tls.ts';
import type { NegotiatedTls } from '../base/tls-profile.ts';
import { type BySide, isEncrypted, labelsOf, type SideName, sideNames } from '../base/transport.ts';
import type { DropReason, DropReasonCode } from '../kinds/comparison/block.ts';
import type { Distribution, RunDocument, SlotsFound } from '../kinds/comparison/run.ts';
import { askedSidesOf, resolveSides } from '../kinds/comparison/run-request.ts';
import type { VisitsDocument } from '../kinds/visits/visits.ts';
import { listed } from './example-words.ts';

/**
 * Causes of a difference, or of a failure, that are not TLS itself. A cause is a record: its evidence is a pure function of the document,
 * and everything that is said of it belongs to it. `/docs/outcomes` is generated from this list.
 */
type CauseRecord<Seen> = {
  id: string;
  /** Title in the documentation. */
  title: string;
  /** `grave`: figures show something other than the question. */
  severity: 'grave' | 'notable';
  /** Does not vary between blocks, so it neither makes requests fail nor widens an interval. */
  isConstant?: true;
  /** Rows of the table that it touches; `all` for every row. */
  rows: string;
  /** In words, for the documentation. */
  seenBy: string;
  remedy: string;
  /** The fact with its figures as a sentence, for each side that shows it. */
  evidence(document: Seen, side: SideName, name: string): string | null;
};

/** Source of the evidence. */
type CausesOf = Pick<
  RunDocument,
  | ('asked' | 'blocks' | 'distributions' | 'errors' | 'launches' | 'preflight' | 'scenario')
  | ('sides' | 'slots' | 'target' | 'tls')
>;

export type Cause = Pick<
  CauseRecord<unknown>,
  'id' | 'title' | 'severity' | 'isConstant' | 'rows' | 'remedy'
> & {
  sentence: string;
};

/** Causes that are found in a run, the most serious first. */
export function causesOf(run: CausesOf): Cause[] {
  return causesIn(run, causeRecords);
}

/** The same for browser visits. */
export function causesOfVisits(visits: CausesOfVisits): Cause[] {
  return causesIn(visits, visitCauseRecords);
}

function causesIn<Seen extends Pick<RunDocument, 'sides'> | CausesOfVisits>(
  document: Seen,
  records: readonly CauseRecord<Seen>[],
): Cause[] {
  const names = labelsOf(document.sides);
  const found = records.flatMap(({ evidence, seenBy: _, ...cause }) => {
    const facts = sideNames.flatMap((side) => evidence(document, side, names[side]) ?? []);
    return facts.length === 0 ? [] : [{ ...cause, sentence: facts.join(' ') }];
  });
  return found.toSorted((one, other) => gravity[one.severity] - gravity[other.severity]);
}

const gravity = { grave: 0, notable: 1 } as const;

/** `HTTP and HTTPS serve 4 of 24 connections at a time.` */
export function slotsInWords({ sides, connections, served }: SlotsFound, names: BySide<string>): string {
  const who = listed(sides.map((side) => names[side]));
  return `${who} ${sides.length === 1 ? 'serves' : 'serve'} ${count(served)} of ${count(connections)} connections at a time.`;
}

export function waysOutOfSlots({ users }: Pick<SlotsFound, 'users'>): string {
  const anew = 'a new connection per request (--connection-policy connection-per-request)';
  return users === 0 ? `Use ${anew}.` : `Use --users ${count(users)} or ${anew}.`;
}

export const remedyOfIdleClose =
  'Set the server’s keep-alive timeout above the pauses of the scenario, or measure shorter pauses (--think-time).';

export const causeRecords: readonly CauseRecord<CausesOf>[] = [
  {
    id: 'slots',
    title: 'Too few connections at a time',
    severity: 'grave',
    rows: 'all',
    seenBy:
      'before the warm-up, each connection that the run will hold sends one request. After 1 s, some have no answer and get one once others are closed, or the server has dropped some.',
    remedy:
      'Use fewer users (--users) or a new connection per request (--connection-policy connection-per-request), or give the server more workers.',
    evidence({ slots, sides }, side) {
      return slots?.sides[0] === side ? slotsInWords(slots, labelsOf(sides)) : null;
    },
  },
  {
    id: 'throttled',
    title: 'A CPU quota',
    severity: 'grave',
    rows: 'all',
    seenBy:
      'the kernel’s `cpu.stat`: over 2 % of the periods of a control group of the target were throttled.',
    remedy: 'Raise the CPU quota of the target, or ask for a load below it (--users, --rate).',
    evidence({ launches }, side, name) {
      const checks = launches.flatMap(({ cpuCheck = [] }) =>
        cpuCheck.filter(({ arms }) => arms.includes(side)),
      );
      const periods = sumOf(checks.map(({ throttling }) => throttling?.periods ?? 0));
      const throttled = sumOf(checks.map(({ throttling }) => throttling?.throttled ?? 0));
      if (throttled <= leastThrottled * periods) return null;
      return `A CPU quota held ${name} up in ${count(throttled)} of ${count(periods)} periods (${printWholePercent(throttled / periods)}).`;
    },
  },
  {
    id: 'delayed-acknowledgement',
    title: 'Waiting for 40 ms',
    severity: 'grave',
    rows: 'latency, throughput',
    seenBy:
      'over 20 % of the transactions of one side take 38 to 48 ms, less than half of that on the other side, and its server uses less CPU per second than the other side’s.',
    remedy:
      'Set TCP_NODELAY on the server’s connections, or have it send a response in one write: Nagle’s algorithm holds back the last part of a write until the client acknowledges the one before, which takes 40 ms.',
    evidence({ blocks, distributions }, side, name) {
      if (distributions === null) return null;
      const [of, other] = [side, otherOf(side)].map((each) =>
        shareBetween(distributions[each], ...delayedUs),
      );
      if (of === undefined || other === undefined || of <= leastDelayed || other >= of / 2) return null;
      const [busy, busyOther] = [side, otherOf(side)].map((each) => busyCoresOf(blocks, each));
      if (busy != null && busyOther != null && busy >= busyOther) return null;
      const rests =
        busy == null || busyOther == null
          ? ''
          : `, and its CPU is less busy (${cores(busy)} of a core, the other side ${cores(busyOther)})`;
      return `At least ${printWholePercent(of)} of the transactions over ${name} take 38 to 48 ms, and ${printWholePercent(other)} on the other side: ${name} waits${rests}.`;
    },
  },
  {
    id: 'idle-close',
    title: 'Idle connections that are closed',
    severity: 'grave',
    rows: 'CPU, latency, wire bytes',
    seenBy:
      'the server closes connections that were idle for about a second or longer: while users pause between requests, or just as they send the next one.',
    remedy: remedyOfIdleClose,
    evidence({ blocks, errors }, side, name) {
      const loads = blocks
        .flatMap(({ slots }) => slots.filter(({ arm }) => arm === side))
        .map(({ load }) => load);
      const closed = sumOf(loads.map(({ idleCloses = 0 }) => idleCloses));
      const lost = errors.filter((error) => error.side === side && error.outcome === 'closed_idle');
      if (closed === 0) return null;
      const fact = `${name} closed ${count(closed)} connections that were idle for about a second or longer, so the next request costs a new connection.`;
      const failed = sumOf(lost.map((error) => error.count));
      if (failed === 0) return fact;
      return `${fact} ${count(failed)} requests were lost, because they were on their way and may not be sent twice.`;
    },
  },
  {
    id: 'session-turned-away',
    title: 'Sessions that are turned away',
    severity: 'grave',
    rows: 'all',
    seenBy: 'handshakes fail in a run that resumes sessions, and none is ever resumed.',
    remedy:
      'Share the ticket keys of the servers behind the address, or turn tickets off. Returning visitors cannot connect.',
    evidence(run, side, name) {
      const { full, resumed } = run.tls[side].handshakes;
      const failed = failuresOf(run, side);
      if (!isEncrypted(run.sides[side].transport) || resumptionOf(run, side) === 0) return null;
      if (failed === 0 || resumed > 0 || full === 0) return null;
      return `${name}: ${count(full)} full handshakes succeeded, and ${count(failed)} connections failed after a session had been given. Connections that offer a session fail.`;
    },
  },
  {
    id: 'session-declined',
    title: 'Sessions that are declined',
    severity: 'grave',
    rows: 'CPU, latency, wire bytes',
    seenBy: 'a run that resumes has at least 5 % more full handshakes than it asked for.',
    remedy:
      'Share the ticket keys of all processes and servers behind the address, or measure full handshakes (--resumption none).',
    evidence(run, side, name) {
      const { full, resumed } = run.tls[side].handshakes;
      const asked = resumptionOf(run, side);
      if (asked === 0 || resumed + full < fewestHandshakes) return null;
      if (resumed === 0 && failuresOf(run, side) > 0) return null;
      const got = resumed / (resumed + full);
      if (asked - got < leastDeclined) return null;
      return `${name} resumed ${printWholePercent(got)} of its connections, not ${printWholePercent(asked)}: the server declined sessions, and ${count(full)} handshakes were full.`;
    },
  },
  {
    id: 'tls-changed',
    title: 'TLS that changed in the run',
    severity: 'grave',
    rows: 'all',
    seenBy: 'a connection agreed on another version, suite, group, or key than those before it.',
    remedy:
      'Have every server behind the address offer the same, and repeat the run without a change of the server.',
    evidence({ blocks, errors }, side, name) {
      const agreed = blocks.flatMap(({ slots }) =>
        slots.flatMap(({ arm, load }) =>
          arm === side && load.negotiated !== null ? [agreedOn(load.negotiated)] : [],
        ),
      );
      const [from] = agreed;
      const to = agreed.find((each) => each !== from);
      if (to !== undefined)
        return `${name} changed in the run from ${from} to ${to}. What was measured before stays.`;
      const changed = errors.find((error) => error.side === side && error.outcome === 'tls_changed');
      return changed === undefined
        ? null
        : `${name}: ${changed.detail} (${count(changed.count)} connections).`;
    },
  },
  {
    id: 'compression-missing',
    title: 'Compression on one side',
    severity: 'grave',
    isConstant: true,
    rows: 'CPU, latency, throughput, wire bytes',
    seenBy: 'the check got the answer to a step compressed on one side and uncompressed on the other.',
    remedy: 'Compress on both sides or on neither.',
    evidence({ preflight, sides }, side, name) {
      const [own = [], others = []] = [side, otherOf(side)].map((each) => preflight?.sides[each].responses);
      for (const [index, answer] of own.entries()) {
        const other = others[index];
        if (other === undefined || isCompressed(answer) || !isCompressed(other)) continue;
        return `${name} does not compress “${answer.step}” (${sizeOf(answer)}), and ${labelsOf(sides)[otherOf(side)]} does (${bodyOf(other)}).`;
      }
      return null;
    },
  },
  {
    id: 'compression-of-browsers',
    title: 'Compression that a browser would get',
    severity: 'notable',
    isConstant: true,
    rows: 'CPU, latency, throughput, wire bytes',
    seenBy:
      'the check got text of 1 kB or more uncompressed for a step without the header Accept-Encoding, or br or zstd without TLS, where browsers ask for gzip and deflate only.',
    remedy:
      'To measure what browsers get over both, give each step the header Accept-Encoding: gzip, deflate.',
    evidence({ preflight, scenario, sides, target }, side, name) {
      // Servers that TLS Toll starts send documents uncompressed.
      if (target.kind !== 'origins') return null;
      const answers = preflight?.sides[side].responses ?? [];
      const step = (answer: Answer) => scenario.steps.find((each) => each.name === answer.step);
      const plain = answers.find(
        (answer) =>
          !isCompressed(answer) &&
          isCompressible(answer) &&
          step(answer) !== undefined &&
          !asks(step(answer)),
      );
      if (plain !== undefined)
        return `${name} sent “${plain.step}” uncompressed (${sizeOf(plain)}), because the step does not ask for compression. A browser asks for it and may get fewer bytes.`;
      const secureOnly = answers.find(({ contentEncoding }) => /\b(br|zstd)\b/.test(contentEncoding));
      if (secureOnly === undefined || isEncrypted(sides[side].transport)) return null;
      return `${name} sent “${secureOnly.step}” as ${bodyOf(secureOnly)}. Without TLS, browsers ask for gzip and deflate only, and get a different body.`;
    },
  },
  {
    id: 'server-restarted',
    title: 'A server that was restarted in the run',
    severity: 'notable',
    rows: 'all',
    seenBy: 'a target that was running before the run has another process ID at a later start of measuring.',
    remedy: 'Keep the server from being restarted or deployed while it is measured.',
    evidence({ launches, target }, side, name) {
      const pids = [...new Set(launches.flatMap(({ pids }) => pids[side] ?? []))];
      if (target.kind !== 'origins' || pids.length < 2) return null;
      return `The server of ${name} was restarted in the run: process ${pids.join(', then ')}. What was measured of each stays.`;
    },
  },
];

type CausesOfVisits = Pick<VisitsDocument, 'sides' | 'spoken'>;

export const visitCauseRecords: readonly CauseRecord<CausesOfVisits>[] = [
  {
    id: 'secure-context',
    title: 'Scripts that need a secure context',
    severity: 'grave',
    isConstant: true,
    rows: 'the times of browser visits',
    seenBy:
      'in browser visits, the documents of one side are not secure contexts (`isSecureContext` is false), and on the other side the page’s scripts use what only secure contexts have, such as `navigator.serviceWorker`, `crypto.subtle`, `navigator.geolocation`, or `navigator.clipboard`.',
    remedy:
      'Reach both sides as localhost, which browsers treat as a secure context without TLS, too, or visit pages whose scripts do not need one.',
    evidence({ spoken, sides }, side, name) {
      const [own, other] = [side, otherOf(side)].map((each) => spoken?.[each].scripts);
      if (own === undefined || other === undefined) return null;
      const used = other.used.filter((each) => !own.used.includes(each));
      if (own.secureContext || !other.secureContext || used.length === 0) return null;
      const [others, verb] = [labelsOf(sides)[otherOf(side)], used.length === 1 ? 'is' : 'are'];
      return `${name} is not a secure context. The page’s scripts use ${listed(used)} over ${others}, which ${verb} not available over ${name}, so the sides do not run the same code.`;
    },
  },
];

type Answer = NonNullable<CausesOf['preflight']>['sides'][SideName]['responses'][number];

function isCompressed({ contentEncoding }: Answer): boolean {
  return contentEncoding !== '' && contentEncoding !== 'identity';
}

/** Whether an answer is text that is large enough for servers to compress. */
function isCompressible({ contentType, bodyBytes }: Answer): boolean {
  return bodyBytes >= 1000 && /^text\/|\b(json|javascript|xml)\b/.test(contentType);
}

function asks(step: CausesOf['scenario']['steps'][number] | undefined): boolean {
  return Object.keys(step?.headers ?? {}).some((header) => header.toLowerCase() === 'accept-encoding');
}

function sizeOf({ bodyBytes }: Answer): string {
  return printQuantity(bodyBytes, scaleFor('bytes', [bodyBytes]));
}

/** `gzip, 21 kB`. */
function bodyOf(answer: Answer): string {
  return `${answer.contentEncoding}, ${sizeOf(answer)}`;
}

const leastThrottled = 0.02;
const leastDelayed = 0.2;
/** A delayed acknowledgement takes 40 ms, and some more on a busy machine. Source: TCP_DELACK_MIN of Linux. */
const delayedUs = [38_000, 48_000] as const;
const leastDeclined = 0.05;
const fewestHandshakes = 100;

/** CPU of the server per wall time of a lone user's turns; null where it cannot be read. */
function busyCoresOf(blocks: CausesOf['blocks'], side: SideName): number | null {
  const slots = blocks.flatMap((block) =>
    block.slots.filter(({ arm, point }) => arm === side && point === 'lockstep'),
  );
  const cpuUs = slots.map(({ target }) => target?.cpuUs ?? null);
  if (slots.length === 0 || cpuUs.includes(null)) return null;
  return sumOf(cpuUs.map((us) => us ?? 0)) / Math.max(1, sumOf(slots.map(({ load }) => load.elapsedUs)));
}

function cores(busy: number): string {
  return printNumber(busy, 2);
}

const handshakeFailures = ['tls_failed', 'connection_reset', 'connection_closed_early'];

/** Connections that failed before a response. */
function failuresOf({ errors }: CausesOf, side: SideName): number {
  const failed = errors.filter((error) => error.side === side && handshakeFailures.includes(error.outcome));
  return sumOf(failed.map((error) => error.count));
}

/** Share of new connections that were to resume. */
function resumptionOf(run: CausesOf, side: SideName): number {
  const { resumption, resumedShare } = resolveSides(askedSidesOf(run))[side].tls;
  return resumption === 'none' ? 0 : resumption === 'tickets' ? 1 : resumedShare;
}

function otherOf(side: SideName): SideName {
  return side === 'baseline' ? 'comparison' : 'baseline';
}

/** Share of transactions that took between two times at least, by the percentiles that are known. */
function shareBetween({ points }: Distribution, fromUs: number, toUs: number): number {
  const within = points.filter(({ us }) => us >= fromUs && us < toUs).map(({ percentile }) => percentile);
  return within.length === 0 ? 0 : (Math.max(...within) - Math.min(...within)) / 100;
}

function agreedOn({ protocol, cipher, key }: NegotiatedTls): string {
  return [printTlsVersion(protocol), cipher, key].filter((part) => part !== null).join(', ');
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function count(value: number): string {
  return printNumber(value, 0);
}

/** Advice against each kind of problem that costs blocks; the reason itself describes the problem. */
export const dropAdvice: Record<DropReasonCode, string> = {
  errors: 'A target that fails under load cannot be compared. See the errors, or lower the rate.',
  under_sent: 'Lower the rate, or use more users or generator processes.',
  late: 'Something held up the load generator. Close other programs, or use a machine with more cores.',
  generator_saturated: 'Lower the rate, or use more generator processes if there are enough cores.',
  overrun: 'The target stalled at the end of a turn. Choose To quote or Fine, which have longer turns.',
  cpu_unverified: 'Two sources disagree about the target’s CPU. Give its process ID.',
  handshakes_disagree: 'Another client used the target, or it lost connections. Keep other clients away.',
};

/** `every metric`, or the groups that the block is left out of; for the rest it counts. */
export function leftOutOf(reasons: readonly DropReason[]): string {
  const spoiled = [...new Set(reasons.map(({ spoils }) => spoils))];
  return spoiled.includes('all') ? 'every metric' : listed(spoiled);
}

/** Each kind of problem in a few words, to end "most of them because ". */
export const dropCause: Record<DropReasonCode, string> = {
  errors: 'requests failed',
  under_sent: 'not all planned transactions were sent',
  late: 'transactions were sent late',
  generator_saturated: 'the load generator was at its limit',
  overrun: 'a turn took too long to end',
  cpu_unverified: 'two sources disagreed about the CPU',
  handshakes_disagree: 'the handshake counts disagreed',
};
