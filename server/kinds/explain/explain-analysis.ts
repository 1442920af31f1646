import { z } from 'zod';
import { differenceOf } from '../../../shared/base/estimate-arithmetic.ts';
import { flagsOf } from '../../../shared/base/option.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type ExplainDocument,
  type ExplainFindings,
  type ExplainLaunch,
  type ExplainRequest,
  explainDocumentSchema,
  explainedOf,
  type GroupResult,
  type InstructionCounts,
  samplesPerS,
} from '../../../shared/kinds/explain/explain.ts';
import {
  type CostGroup,
  costGroups,
  explainOptions,
  groupTitles,
} from '../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { sideTitle } from '../../../shared/words/explain-sentence.ts';
import { flatten, type Table } from '../../base/text/terminal.ts';
import { type CountedFunction, type Counts, ownCosts, parseCounts } from '../../method/instruction-counts.ts';
import { groupOf, pruneStacks } from '../../method/stack-samples.ts';
import { atLeastZero } from '../../method/statistics/estimates.ts';
import { launchInterval } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import type { FigureComparison, SetupFact } from '../define-kind.ts';

/** Fewer say nothing of how they differ. */
const fewestLaunches = 3;

/**
 * Findings from the launches, which are the units. Within a launch, a group's share of a request's CPU is its share of the samples, so
 * the groups add up to the CPU, and their differences to the difference. The cost of recording is omitted: it comes at each sample, in a
 * handler that is never sampled itself, so it lengthens all groups by one factor.
 */
export function analyseExplain(launches: readonly ExplainLaunch[]): ExplainFindings {
  const usable = launches.filter(({ sides }) => sideNames.every((side) => sides[side].samples > 0));
  const isKnown = usable.length >= fewestLaunches;
  return {
    cpuUs: isKnown
      ? bySide((side) => atLeastZero(overLaunches(usable, (of) => unrecordedUs(of, side))))
      : null,
    delta: isKnown ? overLaunches(usable, (of) => difference((side) => unrecordedUs(of, side))) : null,
    plainDelta: isKnown
      ? overLaunches(usable, (of) => difference((side) => requestUs(of, side, 'plain')))
      : null,
    groups: isKnown ? costGroups.flatMap((group) => groupResult(group, usable)) : [],
    sampledShare: usable.length === 0 ? null : sampledShareOf(usable),
    recordingRatio: isKnown ? overLaunches(usable, recordingRatioOf) : null,
    samples: bySide((side) => sumOf(launches.map(({ sides }) => sides[side].samples))),
    requests: bySide((side) => sumOf(launches.map(({ sides }) => sides[side].recorded.requests))),
    stacks: bySide((side) => pruneStacks(launches.flatMap(({ sides }) => sides[side].stacks))),
  };
}

type During = 'plain' | 'recorded';

function requestUs({ sides }: ExplainLaunch, side: SideName, during: During): number {
  const { cpuUs, requests } = sides[side][during];
  return cpuUs / requests;
}

/** CPU of a request while it was sampled, without the cost of sampling. */
function unrecordedUs(launch: ExplainLaunch, side: SideName): number {
  return requestUs(launch, side, 'recorded') / recordingRatioOf(launch);
}

function difference(of: (side: SideName) => number): number {
  return of('comparison') - of('baseline');
}

function groupUs(launch: ExplainLaunch, side: SideName, group: CostGroup): number {
  const { groups, samples } = launch.sides[side];
  return (unrecordedUs(launch, side) * groups[group]) / samples;
}

/** None where nobody was ever there. */
function groupResult(group: CostGroup, launches: readonly ExplainLaunch[]): GroupResult[] {
  const isEmpty = launches.every(({ sides }) => sideNames.every((side) => sides[side].groups[group] === 0));
  if (isEmpty && group !== 'other') return [];
  const of = (side: SideName) => atLeastZero(overLaunches(launches, (each) => groupUs(each, side, group)));
  return [
    {
      ...{ group, baseline: of('baseline'), comparison: of('comparison') },
      delta: overLaunches(launches, (each) => difference((side) => groupUs(each, side, group))),
    },
  ];
}

function sampledShareOf(launches: readonly ExplainLaunch[]): number {
  const each = launches.flatMap(({ sides }) => sideNames.map((side) => sides[side]));
  const countedUs = sumOf(each.map(({ recorded }) => recorded.cpuUs));
  return ((sumOf(each.map(({ samples }) => samples)) / samplesPerS) * 1e6) / countedUs;
}

function recordingRatioOf(launch: ExplainLaunch): number {
  const costOf = (during: During) => sumOf(sideNames.map((side) => requestUs(launch, side, during)));
  return costOf('recorded') / costOf('plain');
}

function overLaunches(launches: readonly ExplainLaunch[], of: (launch: ExplainLaunch) => number): Estimate {
  const found = launchInterval(launches.map((each, launch) => ({ launch, value: of(each) })));
  if (found === null) throw new Error('fewer launches than an interval needs');
  const { center, lo, hi } = found;
  return { center, lo, hi };
}

/** Two explanations are compared by what the comparison spends on each group. */
export const explainChanges: FigureComparison<ExplainDocument> = {
  figure: 'us',
  lead: 'CPU per request on the second side, by what it is spent on, µs.',
  figuresOf: ({ groups }) =>
    groups
      .filter(({ comparison }) => comparison.lo > 0)
      .map(({ group, comparison }) => ({ id: group, name: groupTitles[group], estimate: comparison })),
  setupOf,
};

/** Two counts are compared by what each side executes. */
export const instructionChanges: FigureComparison<ExplainDocument> = {
  figure: 'instructions',
  lead: 'Instructions of a request in user space.',
  figuresOf: ({ instructions, request }) =>
    instructions === null
      ? []
      : sideNames.map((side) => ({
          id: side,
          name: sideTitle(side, request),
          estimate: instructions.perRequest[side],
        })),
  setupOf: (document) => [
    ...setupOf(document),
    { name: 'Valgrind', value: document.instructions?.valgrind ?? 'not used' },
  ],
};

function setupOf({ request, server }: ExplainDocument): SetupFact[] {
  const { target, scenario, users, connectionPolicy } = explainedOf(request);
  return [
    { name: 'Server', value: `${server.title} ${server.version ?? ''}`.trim() },
    { name: 'TLS library', value: server.tlsLibrary ?? 'unknown' },
    { name: 'First side', value: sideTitle('baseline', request) },
    { name: 'Second side', value: sideTitle('comparison', request) },
    ...(target.kind === 'managed' ? [{ name: 'Key', value: target.key }] : []),
    { name: 'Scenario', value: scenario.name },
    { name: 'Users', value: users === null ? 'found' : printNumber(users, 0) },
    { name: 'Connections', value: connectionPolicy },
  ];
}

const launchSchema = explainDocumentSchema.shape.launches.element;
const sidesSchema = z.record(z.enum(sideNames), launchSchema.shape.sides.shape.baseline);
const launchRows = flatten(z.object({ launches: z.array(launchSchema.extend({ sides: sidesSchema })) }));

/** A row for each side in each launch; of instructions, for each count of each side. */
export function explainRows(document: ExplainDocument): Table {
  const { id, instructions } = document;
  if (instructions === null) return launchRows(document);
  const { parts, requests } = instructions;
  const rows = sideNames.flatMap((side) =>
    parts[side].map((count, part) => [id, side, part, requests, count]),
  );
  return [['measurement_id', 'side', 'part', 'requests', 'instructions'], ...rows];
}

/** The command that repeats a measurement: the same bursts in the same order. */
export function explainCommand(request: ExplainRequest, seed: number): string {
  const { run, target, launches } = request;
  if (run !== undefined) return spell([`--run ${run.id}`, ...flagsOf(ofAnyRun, { launches, seed })]);
  if (target === undefined) return spell(flagsOf(explainOptions, { ...request, seed }));
  const { options, processOptions } = factsOf(target);
  return spell([...options, ...processOptions, ...flagsOf(ofRunning, { ...request, seed })]);
}

function spell(words: readonly string[]): string {
  return ['npx tls-toll explain', ...words].join(' ');
}

/** Options that `--run` does not set. */
const ofAnyRun = explainOptions.filter(({ id }) => id === 'launches' || id === 'seed');

/** Options for a server that is already running, which determines the others. */
const ofRunning = explainOptions.filter(({ id }) => !['server', 'bytes', 'key'].includes(id));

/** Functions that are listed. */
const listed = 15;

type Counted = {
  valgrind: string;
  /** Requests per part. */
  requests: number;
  /** Texts that each process wrote per part: an odd number of parts. */
  texts: BySide<string[][]>;
};

/**
 * A request's instructions are those of the median part. Work that a server does by the clock, such as formatting the time once a second,
 * falls into few of them, and would otherwise count too often: its seconds are as long as ever while its requests are fifty times slower.
 */
export function analyseCounts({ valgrind, requests, texts }: Counted): InstructionCounts {
  const parts = bySide((side) => texts[side].map(parseCounts));
  const medians = bySide((side) => medianOf(parts[side]));
  const perRequest = bySide((side) => rangeOf(parts[side], medians[side], requests));
  return {
    ...{ valgrind, requests, perRequest },
    parts: bySide((side) => parts[side].map(({ instructions }) => instructions)),
    delta: differenceOf(perRequest.comparison, perRequest.baseline),
    groups: groupsOf(medians, requests),
    functions: functionsOf(medians, requests),
  };
}

function medianOf(parts: readonly Counts[]): Counts {
  const sorted = parts.toSorted((one, other) => one.instructions - other.instructions);
  const median = sorted[(sorted.length - 1) / 2];
  if (median === undefined) throw new Error('an odd number of parts has a median');
  return median;
}

function rangeOf(parts: readonly Counts[], median: Counts, requests: number): Estimate {
  const each = parts.map(({ instructions }) => instructions / requests);
  return { center: median.instructions / requests, lo: Math.min(...each), hi: Math.max(...each) };
}

/** A function that no group knows belongs to its callers. */
function groupsOf(medians: BySide<Counts>, requests: number): InstructionCounts['groups'] {
  const sums = bySide((side) => {
    const counts = medians[side];
    const groupIn = (counted: CountedFunction) => groupOf([counted], counts.programs);
    const isKept = (counted: CountedFunction) => counted.name !== null && groupIn(counted) !== 'other';
    const found = new Map<CostGroup, number>();
    for (const [key, instructions] of ownCosts(counts, isKept)) {
      const counted = counts.functions.get(key);
      const group = counted === undefined ? 'other' : groupIn(counted);
      found.set(group, (found.get(group) ?? 0) + instructions / requests);
    }
    return found;
  });
  return costGroups
    .map((group) => ({ group, ...bySide((side) => sums[side].get(group) ?? 0) }))
    .filter((row) => sideNames.some((side) => row[side] > 0));
}

function functionsOf(medians: BySide<Counts>, requests: number): InstructionCounts['functions'] {
  const costs = bySide((side) => ownCosts(medians[side], ({ name }) => name !== null));
  const known = new Map(sideNames.flatMap((side) => [...medians[side].functions]));
  const keys = new Set(sideNames.flatMap((side) => [...costs[side].keys()]));
  return [...keys]
    .flatMap((key) => {
      const { name = null, library = '' } = known.get(key) ?? {};
      const spent = bySide((side) => (costs[side].get(key) ?? 0) / requests);
      return name === null ? [] : [{ name, library, ...spent }];
    })
    .toSorted((one, other) => differenceIn(other) - differenceIn(one))
    .slice(0, listed);
}

function differenceIn({ baseline, comparison }: BySide<number>): number {
  return Math.abs(comparison - baseline);
}

/** How instructions are counted. */
export type CountTimes = {
  /** Requests before anything is counted. */
  warmUp: number;
  /** Requests of a part. */
  requests: number;
  /** An odd number. */
  parts: number;
  /** Longer counts are ended. */
  longestMs: number;
};

/**
 * OpenSSL renews the number that blinds RSA signatures every 32 signatures (`BN_BLINDING_COUNTER`), so parts of new connections have 32 requests.
 */
export function countTimes({ connectionPolicy }: Pick<ExplainRequest, 'connectionPolicy'>): CountTimes {
  const requests =
    connectionPolicy === 'keep-alive' ? { warmUp: 512, requests: 128 } : { warmUp: 32, requests: 32 };
  return { ...requests, parts: 7, longestMs: 15 * 60_000 };
}

/** Per request: Valgrind makes a server about 50 times slower. */
export const countedTimeoutMs = 30_000;

type CountPhase = 'preparing' | 'measuring';

/** Each part of each side is a round. */
export function countPhases({ parts }: Pick<CountTimes, 'parts'>): Phase<CountPhase>[] {
  return [
    { name: 'preparing', seconds: 8 },
    { name: 'measuring', seconds: 2 * parts * 1.5, rounds: 2 * parts },
  ];
}
