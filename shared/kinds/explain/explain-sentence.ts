import { lowered } from '../../base/capitalized.ts';
import { printAdded, printChangeInterval, printNumber } from '../../base/quantity.ts';
import { labelsOf, type SideName } from '../../base/transport.ts';
import { printTlsVersion } from '../../words/negotiated-words.ts';
import { knownSidesOf } from '../../words/side-words.ts';
import { targetNameOf } from '../../words/targets-of-sides.ts';
import { loadInWords } from '../comparison/at-load.ts';
import type { Estimate } from '../comparison/comparison.ts';
import { type CostGroup, groupTitles } from './cost-groups.ts';
import type { ExplainDocument, ExplainRequest } from './explain.ts';
import { explainedOf } from './explained.ts';

/** What was found, in sentences: the same on the page, in Markdown and in a terminal. */

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

/** What its figures are of: all steps of a scenario are one transaction. */
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

/** What a group is called, also where the program has no names: all that is known of its own functions is that they are its own. */
export function groupTitle(group: CostGroup, { launches }: Pick<Found, 'launches'>): string {
  return group === 'application' && unnamedIn(launches) !== undefined
    ? 'Application, without names'
    : groupTitles[group];
}

function unnamedIn(launches: Found['launches']): string | undefined {
  return launches.find(({ unnamed }) => unnamed !== undefined)?.unnamed;
}

/** What limits the result, in sentences. */
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
