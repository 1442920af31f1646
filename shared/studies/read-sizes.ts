import { exactly } from '../base/estimate-arithmetic.ts';
import { estimateDecimals, printNumber } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type { ServersDocument } from '../kinds/servers/servers-result.ts';
import { nameSizeArm } from '../kinds/sizes/size-words.ts';
import type { ArmResult, SizeComparison, SizesDocument } from '../kinds/sizes/sizes.ts';
import { malmgrenClaims } from './malmgren-2011.ts';
import { readServers } from './read-servers.ts';
import {
  type Claim,
  type ClaimUnit,
  type ClaimWord,
  type Figure,
  mapped,
  type Read,
  type Reading,
  type Rule,
  ruleInWords,
  type SizesFigure,
} from './study-figure.ts';
import { studies } from './study-plan.ts';
import type { PlannedMeasurement, StudyRow } from './study-report.ts';

/** The range of documents that WebPerf measured. */
const [smallest, largest] = [1000, 100_000];
const fewestSizes = 8;
/** From which on a miss is no chance: Student's quantile of 12 rounds, over 24 sizes (0.05 ÷ 24). Less than this refuses no line. */
const [sureErrors, leastPercent] = [3.6, 5];

type Swept = Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>;

/** Figures of a sweep over sizes; only where it has WebPerf's range of sizes. Several with several suites. */
export function readSizes({ of }: SizesFigure, swept: Swept): Read {
  const { sizes } = swept.request;
  if (Math.min(...sizes) > smallest || Math.max(...sizes) < largest || sizes.length < fewestSizes)
    return { missing: 'The sweep has fewer sizes than the study.' };
  if (of === 'rejected lines') return refusedLines(swept.arms);
  if (of === 'spread') return widestSpread(swept.arms);
  const readings = swept.comparisons.flatMap((comparison) => {
    const reading = readingOf(of, comparison, nameOf(comparison, swept));
    return reading === null ? [] : [reading];
  });
  return readings.length === 0 ? { missing: 'The lines are too uncertain to say.' } : readings;
}

function nameOf({ arm }: SizeComparison, { arms, comparisons }: Swept): string {
  const own = arms.find((each) => each.arm === arm);
  return own === undefined || comparisons.length === 1 ? 'Today' : nameSizeArm(own);
}

function refusedLines(arms: readonly ArmResult[]): Read {
  const fits = arms.flatMap((arm) => (arm.latency === null ? [] : [{ arm, line: arm.latency.straight }]));
  if (fits.length < arms.length || fits.length === 0) return { missing: 'The lines were not fitted.' };
  const refused = fits.flatMap(({ arm, line }) =>
    line.refusals.slice(0, 1).map((reason) => `${nameSizeArm(arm)}: ${reason}`),
  );
  const residuals = fits.flatMap(({ line }) => line.residuals);
  const misses = residuals.map(({ percent }) => Math.abs(percent));
  const sure = residuals.some(
    ({ percent, errorPercent }) => Math.abs(percent) > Math.max(leastPercent, sureErrors * errorPercent),
  );
  return [
    {
      values: [exactly(refused.length)],
      ...(refused.length > 0 &&
        !sure && { doubt: 'The lines may miss because of noise. More rounds would decide.' }),
      today: refused[0] ?? `The lines miss no size by more than ${printNumber(Math.max(0, ...misses), 1)} %.`,
    },
  ];
}

/** The span of 95 % of the times of a size, divided by their median. */
function widestSpread(arms: readonly ArmResult[]): Read {
  const spreads = arms.flatMap(({ points }) =>
    points.map(({ p2_5, p97_5, medianUs }) => (p97_5 - p2_5) / medianUs),
  );
  if (spreads.length === 0) return { missing: 'No size was measured.' };
  const widest = Math.max(...spreads);
  return [
    {
      values: [exactly(widest)],
      today: `95 % of the times of a size span at most ${printNumber(widest, 2)} times their median.`,
    },
  ];
}

function readingOf(
  of: Exclude<SizesFigure['of'], 'rejected lines' | 'spread'>,
  { latency }: SizeComparison,
  name: string,
): Reading | null {
  if (latency === null) return null;
  const { holds, rateLossPercent: loss, offsetUs } = latency.straight;
  const refused = holds ? {} : { doubt: 'A line is rejected.' };
  if (of === 'offset') return { values: [offsetUs], today: `${name}: ${print(offsetUs, 'µs')}.`, ...refused };
  if (of === 'rate loss') {
    if (loss === null) return null;
    const figure = `${name}: ${print(loss, '%')}`;
    return { values: [loss], today: holds ? `${figure}.` : `${figure}, from rejected lines.`, ...refused };
  }
  const point = latency.points.find(({ size }) => size === of.longerAt);
  if (point === undefined) return null;
  const longer = mapped(point.ratio, (ratio) => 100 * (ratio - 1));
  return { values: [longer], today: `${name}: ${print(longer, '%', 1)}.` };
}

function print(value: Estimate, unit: string, decimals = estimateDecimals(value)): string {
  const number = (each: number) => printNumber(each, decimals);
  return `${number(value.center)} ${unit} (${number(value.lo)} to ${number(value.hi)} ${unit})`;
}

/** The claims of WebPerf (1998), if a sweep over sizes has its range of sizes. */
export function webperfToday(
  document: Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>,
): ClaimToday[] {
  return claimsToday(webperfClaims, (figure) =>
    figure.kind === 'sizes' ? readSizes(figure, document) : { missing: '' },
  );
}

/** How much of its transfer rate each server of the study lost with SSL: 100·(1 − Rate with SSL ÷ Rate without). */
export const webperf1998: readonly { server: string; rateLossPercent: number }[] = [
  { server: 'Netscape Enterprise 3.5.1', rateLossPercent: 22 },
  { server: 'IIS 4.0', rateLossPercent: 17 },
];

/** Claims of Goldberg, Buff, and Schmitt, over their 24 sizes. */

const losses = webperf1998.map(({ rateLossPercent }) => rateLossPercent);
const [least, most] = [Math.min(...losses), Math.max(...losses)];
/** A rate that falls by a share makes a time grow by 1 ÷ (1 − share), where the offset no longer counts. */
const longer = (percent: number) => 100 * (1 / (1 - percent / 100) - 1);
const large = 100_000;

const ofStudy = { study: 'webperf-1998', by: ['sizes'] } as const;

export const webperfClaims: readonly Claim[] = [
  {
    ...ofStudy,
    ...{ id: 'webperf-line', unit: 'rejected lines', printed: '24 sizes, 1,000 to 100,000 bytes' },
    said: 'Time is Offset + Size ÷ Rate',
    figure: { kind: 'sizes', of: 'rejected lines' },
    rule: { from: 0, to: 0 },
    note: 'Lines of HTTP and HTTPS through the 24 sizes that are refused.',
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-rate', unit: '%' },
    said: `Encryption costs ${least} to ${most} % of the transfer rate`,
    printed: webperf1998.map(({ server, rateLossPercent }) => `${server} ${rateLossPercent} %`).join(', '),
    figure: { kind: 'sizes', of: 'rate loss' },
    rule: { from: least, to: most },
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-large', unit: '%', printed: `follows from ${least} to ${most} % of the rate` },
    said: `A document of ${printNumber(large, 0)} bytes takes ${printNumber(longer(least), 0)} to ${printNumber(longer(most), 0)} % longer`,
    figure: { kind: 'sizes', of: { longerAt: large } },
    rule: { from: longer(least), to: longer(most) },
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-offset', unit: 'µs', printed: null },
    said: 'Each server and cipher has its own Offset, which excludes the handshake',
    figure: { kind: 'sizes', of: 'offset' },
    rule: null,
    note: 'What HTTPS adds to the Offset today. The offsets of 1998 were measured with 10 Mbit/s and a server of 200 MHz.',
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-spread', unit: 'times', printed: null },
    said: 'On some sides, request times vary by as much as their median',
    figure: { kind: 'sizes', of: 'spread' },
    rule: { from: 1 },
    note: 'The span of 95 % of the times of a size ÷ their median, for the size and side where it is widest.',
  },
];

/** The outcome of a claim, and today's figure. The two never contradict each other. */
type Judged = { word: ClaimWord; value: Estimate; today: string };

export function judgeClaim(
  { unit, study, ...claim }: Claim & { rule: Rule | null },
  reading: Reading,
): Judged {
  const [value] = reading.values;
  const figure = printValue(value, unit);
  const today = reading.today ?? (reading.atLeast ? `At least ${figure}.` : `${figure}.`);
  const unjudged = studies[study].group === 'pairs' ? 'new' : 'not comparable';
  return { word: claim.rule === null ? unjudged : wordOf(reading, claim.rule), value, today };
}

function wordOf({ values, doubt, atLeast }: Reading, rule: Rule): ClaimWord {
  if (doubt === undefined) return judge(values, rule);
  if (atLeast === undefined) return 'not decided';
  return judge(
    values.map(({ lo }) => ({ lo, hi: Number.POSITIVE_INFINITY })),
    rule,
  );
}

/** `Holds` only where each whole interval lies within the rule's range, `no longer` only where a whole one lies outside. */
export function judge(values: readonly Pick<Estimate, 'lo' | 'hi'>[], { from, to }: Rule): ClaimWord {
  const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  if (values.every(({ lo, hi }) => lo >= least && hi <= most)) return 'holds';
  return values.some(({ lo, hi }) => hi < least || lo > most) ? 'no longer' : 'not decided';
}

/** `14.5 % (12.9 to 16.1 %)`, and without an interval `242 per second`. */
export function printValue(value: Estimate, unit: ClaimUnit): string {
  const { center, lo, hi } = value;
  const after = unit === '' ? '' : ` ${unit}`;
  if (lo === hi) return `${printNumber(center, digitsOf(center))}${after}`;
  const decimals = Math.min(4, estimateDecimals(value) + (Math.abs(center) < 10 ? 1 : 0));
  const print = (each: number) => printNumber(each, decimals);
  return `${print(center)}${after} (${print(lo)} to ${print(hi)}${unit === '%' ? ' %' : ''})`;
}

/** Three digits. */
function digitsOf(value: number): number {
  return value === 0 ? 0 : Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

type Planned = Pick<PlannedMeasurement, 'name' | 'measured' | 'going' | 'why' | 'full' | 'lacking'>;

/**
 * A claim with today's figure.
 * @param measurements those of the plan
 * @param read a figure of one that was measured
 */
export function rowOfClaim(
  claim: Claim,
  measurements: readonly Planned[],
  read: (name: Planned['name'], figure: Figure) => Read,
): StudyRow {
  const { id, study, said, printed, unit, table = null, note = null } = claim;
  const frame = { id, study, said, printed, unit, table, note };
  const nothing = { rule: null, now: null, by: null, url: null, why: null };
  if (claim.by === null) return { ...frame, ...nothing, word: claim.word };
  const rule = claim.rule === null ? null : ruleInWords(claim.rule, unit);
  const asked = claim.by.flatMap((name) => measurements.filter((each) => each.name === name));
  const answers = asked.find(({ measured }) => measured !== null);
  const [first] = [...asked.filter(({ full, lacking }) => !full && !lacking), ...asked];
  if (answers?.measured == null)
    return { ...frame, ...nothing, rule, word: 'not measured', by: first?.name ?? null, why: whyNot(first) };
  const { name, measured } = answers;
  const found = read(name, claim.figure);
  const row = { ...frame, rule, by: name, url: measured.url };
  if ('missing' in found) return { ...row, now: null, word: 'not measured', why: found.missing };
  const [reading] = found;
  if (reading === undefined) return { ...row, now: null, word: 'not measured', why: null };
  const { word, value, today } = judgeClaim(claim, reading);
  return { ...row, now: { value, today }, word, why: reading.doubt ?? null };
}

/** Reason why there is no figure: a measurement under way, a failed one, or a missing server. */
function whyNot(first: Planned | undefined): string | null {
  if (first === undefined) return null;
  if (first.going !== null) return 'Being measured.';
  return first.why;
}

/** A claim that one document answers. */
export type ClaimToday = Pick<Claim, 'said'> & Judged;

/** The claims of a study that a document answers, with today's figures, without the rows of its long tables. */
function claimsToday(claims: readonly Claim[], read: (figure: Figure) => Read): ClaimToday[] {
  return claims.flatMap((claim): ClaimToday[] => {
    if (claim.by === null || claim.rule === null || claim.table !== undefined) return [];
    const found = read(claim.figure);
    if ('missing' in found) return [];
    return found.map((reading) => ({ said: claim.said, ...judgeClaim(claim, reading) }));
  });
}

/** `Keep-alive gains most: holds. 6.1× …`. */
export function sentenceOf({ said, word, today }: ClaimToday): string {
  return `${said}: ${word}. ${today}`;
}

/** The claims of Malmgren (2011) that a sweep over servers covers. */
export function malmgrenToday(
  document: Pick<ServersDocument, 'effects' | 'levels' | 'cells' | 'warnings'>,
): ClaimToday[] {
  return claimsToday(malmgrenClaims, (figure) =>
    figure.kind === 'servers' ? readServers(figure, document) : { missing: '' },
  );
}
