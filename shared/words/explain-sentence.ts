import { lowered } from '../base/cut.ts';
import { excludes } from '../base/estimate-arithmetic.ts';
import {
  printAdded,
  printChange,
  printChangeInterval,
  printNumber,
  printUsEstimate,
} from '../base/quantity.ts';
import { labelsOf, type SideName, sideNames } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { loadInWords } from '../kinds/comparison/at-load.ts';
import { guessInWords } from '../kinds/comparison/shift.ts';
import {
  type ExplainDocument,
  type ExplainRequest,
  explainedOf,
  type InstructionCounts,
} from '../kinds/explain/explain.ts';
import { type CostGroup, groupTitles } from '../kinds/explain/options.ts';
import type { Headline } from '../measurement/measurement.ts';
import type { Target } from '../target/target.ts';
import { stepsUnitOf } from './headline.ts';
import { negotiatedInFull } from './negotiated-words.ts';
import { knownSidesOf, targetNameOf } from './side-words.ts';

/** Findings in sentences: the same on the page, in Markdown, and in a terminal. */

export function sideTitle(side: SideName, request: ExplainRequest): string {
  return labelsOf(knownSidesOf(explainedOf(request)))[side];
}

/** `HTTP and HTTPS on nginx`. */
export function explainTitle(request: ExplainRequest): string {
  return `${sideTitle('baseline', request)} and ${sideTitle('comparison', request)} on ${explainedTitle(request)}`;
}

export function explainedTitle(request: ExplainRequest): string {
  return targetNameOf(explainedOf(request));
}

/** Unit of its figures. */
export function explainUnit(request: ExplainRequest): 'request' | 'transaction' {
  return stepsUnitOf(explainedOf(request));
}

type Found = Pick<
  ExplainDocument,
  | ('cpuUs' | 'delta' | 'plainDelta' | 'groups' | 'sampledShare' | 'recordingRatio' | 'request' | 'load')
  | ('launches' | 'negotiated')
>;

/** Groups that the headline names. */
const named = 4;

/** The difference in CPU, and the groups that it goes to. Null until there are intervals. */
export function explainHeadline(found: Found): Headline | null {
  const { cpuUs, delta, request, load } = found;
  if (cpuUs === null || delta === null) return null;
  const [first, second] = sideNames.map((side) => sideTitle(side, request));
  const unit = explainUnit(request);
  const whole = tenths(delta.center);
  const from = tenths(cpuUs.baseline.center);
  const values = `${tenthsInWords(from)} → ${tenthsInWords(from + whole)} µs`;
  const change = printChange(1 + delta.center / cpuUs.baseline.center);
  if (!excludes(delta, 0)) {
    const ends = `${printAdded(delta.lo, 1)} to ${printAdded(delta.hi, 1)}`;
    const signed = `${printAdded(delta.center, 1)} µs`;
    return {
      title: guessInWords({ signed, ends, symbol: 'µs', change: { signed: change } }),
      second: `Server CPU per ${unit} ${loadInWords(load)}, ${second} compared with ${first} (${values})`,
    };
  }
  const more = whole > 0 ? 'more' : 'less';
  return {
    title: `${second} costs ${tenthsInWords(Math.abs(whole))} µs ${more} CPU per ${unit}`,
    second: `${change} ${loadInWords(load)} (${values}): ${partsInWords(found, whole)}`,
    third: `95 % CI ${printUsInterval(delta).replace(/\+/g, delta.lo > 0 ? '' : '+')}.`,
  };
}

function tenths(us: number): number {
  return Math.round(us * 10);
}

function tenthsInWords(count: number): string {
  return printNumber(count / 10, 1);
}

/** Findings below the headline. */
export function explainSentences({ plainDelta }: Found): string[] {
  return plainDelta === null ? [] : [`Counted without a recording: ${printUsInterval(plainDelta)}.`];
}

/** Parts that add up to the whole, as they are printed. @param whole in tenths of a microsecond */
function partsInWords({ groups, launches }: Found, whole: number): string {
  const clear = groups
    .filter(({ group, delta }) => group !== 'other' && excludes(delta, 0) && tenths(delta.center) !== 0)
    .toSorted((one, other) => Math.abs(other.delta.center) - Math.abs(one.delta.center))
    .slice(0, named);
  const rest = clear.reduce((left, { delta }) => left - tenths(delta.center), whole);
  const parts = clear.map(
    ({ group, delta }) =>
      `${tenthsInWords(tenths(delta.center))} ${lowerTitle(groupTitle(group, { launches }))}`,
  );
  return [...parts, `${tenthsInWords(rest)} other`].join(', ');
}

/** Acronyms keep their capitals. */
function lowerTitle(title: string): string {
  return /^(TLS|HTTP)/.test(title) ? title : lowered(title);
}

/** Title of a group. The functions of a program without names are one group. */
export function groupTitle(group: CostGroup, { launches }: Pick<Found, 'launches'>): string {
  return group === 'application' && unnamedIn(launches) !== undefined
    ? 'Application, without names'
    : groupTitles[group];
}

function unnamedIn(launches: Found['launches']): string | undefined {
  return launches.find(({ unnamed }) => unnamed !== undefined)?.unnamed;
}

/** Share of the counted CPU time, below which samples are said to miss some. */
const fewSamples = 0.9;

/** Limits of the result, in sentences. */
export function explainNotes({
  sampledShare,
  recordingRatio,
  groups,
  cpuUs,
  request,
  ...found
}: Found): string[] {
  if (sampledShare === null || recordingRatio === null || cpuUs === null) return [];
  const percent = (share: number) => `${printNumber(100 * share, 1)} %`;
  const other = groups.find(({ group }) => group === 'other');
  const otherOf = (side: SideName) => (other === undefined ? 0 : other[side].center / cpuUs[side].center);
  const unnamed = unnamedIn(found.launches);
  const programs = found.launches.find((launch) => launch.programs !== undefined)?.programs;
  return [
    ...negotiatedNotes(found),
    ...(programs === undefined
      ? []
      : [`Every program that works for a ${explainUnit(request)} was sampled: ${programs.join(', ')}.`]),
    ...(unnamed === undefined
      ? []
      : [
          `The functions of ${unnamed} have no names. Libraries and the kernel are told apart, and what it does itself is one group. Install its debug symbols to see more.`,
        ]),
    `Samples are scaled to the CPU time that was counted.${sampledShare < fewSamples ? ` They cover ${percent(sampledShare)} of it.` : ''}`,
    `A ${explainUnit(request)} took ${percent(Math.abs(recordingRatio.center - 1))} ${recordingRatio.center < 1 ? 'less' : 'more'} CPU while it was recorded (95 % CI ${printChangeInterval(recordingRatio)}), which is left out of these figures.`,
    `At most ${percent(Math.max(otherOf('baseline'), otherOf('comparison')))} of a ${explainUnit(request)} is in functions that no group knows.`,
  ];
}

/** Groups of cryptography depend on what was agreed on. */
function negotiatedNotes({ negotiated }: Pick<Found, 'negotiated'>): string[] {
  return negotiated === null ? [] : [`Negotiated: ${negotiatedInFull(negotiated)}.`];
}

/** `+8.9 to +9.4 µs`. */
export function printUsInterval({ lo, hi }: Estimate): string {
  return `${printAdded(lo, 1)} to ${printAdded(hi, 1)} µs`;
}

type UsRow = Record<'baseline' | 'comparison', Estimate | null> & { delta: Estimate };

/** `7.6 (3.4 to 11.8)` and `+9.2 (+8.9 to +9.4)`, in µs, with digits at which a reader who subtracts the sides gets the difference. */
export function printUsRow({ baseline, comparison, delta }: UsRow): Record<keyof UsRow, string> {
  const from = baseline?.center ?? 0;
  const apart = (digits: number) =>
    Number((comparison?.center ?? 0).toFixed(digits)) - Number(from.toFixed(digits));
  const subtracts = (digits: number) => apart(digits).toFixed(digits) === delta.center.toFixed(digits);
  const isSided = baseline !== null && comparison !== null;
  const decimals = isSided ? ([1, 2].find(subtracts) ?? 2) : 1;
  const print = (us: Estimate | null) => (us === null ? '–' : printUsEstimate(us, decimals));
  const added = (us: number) => printAdded(us, decimals);
  const { lo, hi } = delta;
  const center = isSided ? apart(decimals) : delta.center;
  return {
    baseline: print(baseline),
    comparison: print(comparison),
    delta: `${added(center)} (${added(lo)} to ${added(hi)})`,
  };
}

/** Counts in sentences: the same on the page, in Markdown, and in a terminal. */

type SentenceFound = Pick<ExplainDocument, 'request'> & { instructions: InstructionCounts };

/** Instructions of a request on both sides. */
export function instructionsHeadline({
  request,
  instructions: { perRequest, delta },
}: SentenceFound): Headline {
  const [base, other] = [sideTitle('baseline', request), sideTitle('comparison', request)];
  const [from, to] = sideNames.map((side) => Math.round(perRequest[side].center));
  const more = (to ?? 0) - (from ?? 0);
  const change = printChange((to ?? 0) / Math.max(1, from ?? 0));
  const values = `(${printInstructions(from ?? 0)} → ${printInstructions(to ?? 0)})`;
  return excludes(delta, 0)
    ? {
        title: `${other} costs ${printInstructions(Math.abs(more))} ${more < 0 ? 'fewer' : 'more'} instructions per request`,
        second: `${change} compared with ${base} ${values}`,
      }
    : {
        title: `${other} costs about as many instructions per request as ${base}`,
        second: `${change} ${values}`,
      };
}

/** Findings below the headline. */
export function instructionSentences({
  request,
  instructions: { perRequest, parts },
}: SentenceFound): string[] {
  const spreads = sideNames.map(
    (side) => `${printNumber(100 * spreadOf(perRequest[side]), 2)} % over ${sideTitle(side, request)}`,
  );
  return [
    `The lowest and the highest of ${parts.baseline.length} counts differ by ${spreads.join(' and ')}.`,
  ];
}

/** Width of an interval, as a share of its center. */
function spreadOf({ center, lo, hi }: Estimate): number {
  return center === 0 ? 0 : (hi - lo) / center;
}

/** Limits of a count, in sentences. */
export const instructionNotes = [
  'These are instructions of the server’s processes in user space. Work in the kernel is not counted, so none of its extra cost shows.',
  'Valgrind does not emulate AVX-512, so libraries ran their code for CPUs without it.',
];

/** `7 counts of 128 requests on each side`. */
export function countsInWords({ parts, requests }: InstructionCounts): string {
  return `${parts.baseline.length} counts of ${requests} requests on each side`;
}

/** `13,034`. */
export function printInstructions(count: number): string {
  return printNumber(count, 0);
}

/** `+64,797`. */
export function printMoreInstructions(count: number): string {
  return Math.round(count) > 0 ? `+${printInstructions(count)}` : printInstructions(count);
}

/** Why it cannot be sampled, and what to do instead; null where it can. */
export function whyNotExplained({ target, link }: { target: Target; link?: unknown }): string | null {
  if (target.kind === 'origins' && target.agent !== undefined) {
    return 'Explain samples processes of this machine, and the target is on another host. Run TLS Toll there to explain it.';
  }
  if (target.kind === 'origins' && target.clientCertificate !== undefined) {
    return 'Explain cannot present a client certificate, because its key is not stored. Explain a server that does not require one.';
  }
  if (link !== undefined) {
    return 'Explain does not support links, and this run had one. Repeat the run without a link, and explain that one.';
  }
  return null;
}
