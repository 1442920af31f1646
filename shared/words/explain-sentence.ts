import { lowered } from '../base/cut.ts';
import { printAdded, printChangeInterval, printNumber } from '../base/quantity.ts';
import { printTlsVersion } from '../base/tls.ts';
import { labelsOf, type SideName, sideNames } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { loadInWords } from '../kinds/comparison/at-load.ts';
import {
  type ExplainDocument,
  type ExplainRequest,
  explainedOf,
  type InstructionCounts,
} from '../kinds/explain/explain.ts';
import { type CostGroup, groupTitles } from '../kinds/explain/options.ts';
import type { Target } from '../target/target.ts';
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

/** Unit of its figures: all steps of a scenario are one transaction. */
export function explainUnit(request: ExplainRequest): 'request' | 'transaction' {
  return explainedOf(request).scenario.steps.length === 1 ? 'request' : 'transaction';
}

type Found = Pick<
  ExplainDocument,
  | ('cpuUs' | 'delta' | 'plainDelta' | 'groups' | 'sampledShare' | 'recordingRatio' | 'request' | 'load')
  | ('launches' | 'negotiated')
>;

/** Groups that the first sentence names. */
const named = 4;

/** The first is the headline. Empty until there are intervals. */
export function explainSentences(found: Found): string[] {
  const { cpuUs, delta, plainDelta, request, load } = found;
  if (cpuUs === null || delta === null || plainDelta === null) return [];
  const sides = (['baseline', 'comparison'] as const).map(
    (side) => `${printNumber(cpuUs[side].center, 1)} µs over ${sideTitle(side, request)}`,
  );
  return [
    delta.lo <= 0 && delta.hi >= 0
      ? `The cost of ${sideTitle('comparison', request)} is uncertain: ${printUsInterval(delta)} of CPU a ${explainUnit(request)}`
      : headline(found, delta),
    `A ${explainUnit(request)} takes ${sides.join(' and ')} ${loadInWords(load)}: ${printUsInterval(delta)} (95 % CI). Counted without a recording: ${printUsInterval(plainDelta)}.`,
  ];
}

/** Its parts add up to its whole, as they are printed. */
function headline({ groups, request, launches }: Found, { center }: Estimate): string {
  const tenths = (us: number) => Math.round(us * 10);
  const clear = groups
    .filter(
      ({ group, delta }) => group !== 'other' && (delta.lo > 0 || delta.hi < 0) && tenths(delta.center) !== 0,
    )
    .toSorted((one, other) => Math.abs(other.delta.center) - Math.abs(one.delta.center))
    .slice(0, named);
  const whole = tenths(center);
  const rest = clear.reduce((left, { delta }) => left - tenths(delta.center), whole);
  const parts = clear.map(
    ({ group, delta }) =>
      `${signedTenths(tenths(delta.center))} ${lowerTitle(groupTitle(group, { launches }))}`,
  );
  const list = [...parts, `${signedTenths(rest)} everything else`].join(', ');
  return `${sideTitle('comparison', request)} costs ${signedTenths(whole)} µs of CPU a ${explainUnit(request)}: ${list}`;
}

function signedTenths(tenths: number): string {
  return printAdded(tenths / 10, 1);
}

/** Acronyms keep their capitals. */
function lowerTitle(title: string): string {
  return /^(TLS|HTTP)/.test(title) ? title : lowered(title);
}

/** Title of a group, also if the program has no names: all that is known of its own functions is that they are its own. */
export function groupTitle(group: CostGroup, { launches }: Pick<Found, 'launches'>): string {
  return group === 'application' && unnamedIn(launches) !== undefined
    ? 'Application, without names'
    : groupTitles[group];
}

function unnamedIn(launches: Found['launches']): string | undefined {
  return launches.find(({ unnamed }) => unnamed !== undefined)?.unnamed;
}

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
    `The samples cover ${percent(sampledShare)} of the CPU time that was counted, and are scaled to it.`,
    `A ${explainUnit(request)} took ${percent(Math.abs(recordingRatio.center - 1))} ${recordingRatio.center < 1 ? 'less' : 'more'} CPU while it was recorded (95 % CI ${printChangeInterval(recordingRatio)}), which is left out of these figures.`,
    `At most ${percent(Math.max(otherOf('baseline'), otherOf('comparison')))} of a ${explainUnit(request)} is in functions that no group knows.`,
  ];
}

/** Groups of cryptography depend on what was agreed on. */
function negotiatedNotes({ negotiated }: Pick<Found, 'negotiated'>): string[] {
  if (negotiated === null) return [];
  const { protocol, cipher, group, key } = negotiated;
  const agreed = [printTlsVersion(protocol), cipher, group, key].filter((part) => part !== null);
  return [`Negotiated: ${agreed.join(', ')}.`];
}

/** `+8.9 to +9.4 µs`. */
export function printUsInterval({ lo, hi }: Estimate): string {
  return `${printAdded(lo, 1)} to ${printAdded(hi, 1)} µs`;
}

/** `+9.2 (+8.9 to +9.4)`, in µs. */
export function printUsDelta({ center, lo, hi }: Estimate): string {
  return `${printAdded(center, 1)} (${printAdded(lo, 1)} to ${printAdded(hi, 1)})`;
}

/** Counts in sentences: the same on the page, in Markdown, and in a terminal. */

type SentenceFound = Pick<ExplainDocument, 'request'> & { instructions: InstructionCounts };

/** The first is the headline. */
export function instructionSentences({
  request,
  instructions: { perRequest, delta, parts },
}: SentenceFound): string[] {
  const [base, other] = [sideTitle('baseline', request), sideTitle('comparison', request)];
  const [from, to] = sideNames.map((side) => printInstructions(perRequest[side].center));
  const isUncertain = delta.lo <= 0 && delta.hi >= 0;
  const more = `${printInstructions(Math.abs(delta.center))} ${delta.center < 0 ? 'fewer' : 'more'} instructions a request`;
  const spreads = sideNames.map(
    (side) => `${printNumber(100 * spreadOf(perRequest[side]), 2)} % over ${sideTitle(side, request)}`,
  );
  return [
    isUncertain
      ? `${other} takes about as many instructions a request as ${base}: ${to} and ${from}`
      : `${other} takes ${more} than ${base}: ${to} instead of ${from}`,
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
