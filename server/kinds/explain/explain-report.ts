import { printNumber } from '../../../shared/base/quantity.ts';
import { type BySide, sideNames } from '../../../shared/base/transport.ts';
import { describePlacement, loadInWords } from '../../../shared/kinds/comparison/at-load.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  type ExplainDocument,
  type Explained,
  explainArms,
  type InstructionCounts,
  samplesPerS,
} from '../../../shared/kinds/explain/explain.ts';
import { groupTitles, storefront } from '../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { leadOf, quantities, type Report, table, text, texts } from '../../../shared/report/report.ts';
import type { Target } from '../../../shared/target/target.ts';
import {
  countsInWords,
  explainHeadline,
  explainNotes,
  explainSentences,
  groupTitle,
  instructionNotes,
  instructionSentences,
  instructionsHeadline,
  printInstructions,
  printMoreInstructions,
  printUsRow,
  sideTitle,
} from '../../../shared/words/explain-sentence.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { reportOf } from '../../base/text/report.ts';

/** Report on the microseconds, or the instructions, group by group. */
export function reportExplain(document: ExplainDocument): Report {
  if (document.instructions !== null) return reportInstructions(document, document.instructions);
  const { request, groups, cpuUs, delta, launches, load, samples, server } = document;
  const headline = explainHeadline(document);
  const [first, second] = [sideTitle('baseline', request), sideTitle('comparison', request)];
  const cells = groups.map((row) => [groupTitle(row.group, document), ...usCells(row)]);
  const whole = cpuUs === null || delta === null ? [] : [['All', ...usCells({ ...cpuUs, delta })]];
  return reportOf(document, {
    title: headline?.title ?? 'Where the microseconds go',
    lead: [...leadOf(headline), text(...explainSentences(document))],
    measured: `${launches.length} of ${request.launches} starts, ${loadInWords(load)}, ${printNumber(samples.baseline + samples.comparison, 0)} samples.`,
    about: [
      'CPU is that of the server’s processes, by the process CPU clock. A sample belongs to the nearest function that has a name and a group.',
    ],
    notes: explainNotes(document),
    sections: [
      {
        heading: 'CPU of a request, µs with 95 % CI',
        parts: [
          table(
            [
              ...texts('Goes to'),
              ...quantities([first, 'first'], [second, 'second'], ['Difference', 'difference']),
            ],
            [...cells, ...whole],
            null,
            [...groups.map(({ group }) => group), 'all'].map((group) => `explain/${group}`),
          ),
        ],
      },
    ],
    where: [`Server: ${softwareInWords(server)}`, describePlacement(document.placement)],
  });
}

/** How many instructions a request takes, group by group and by the functions that differ most. */
export function reportInstructions(document: ExplainDocument, instructions: InstructionCounts): Report {
  const { request, server } = document;
  const { groups, functions, perRequest, valgrind } = instructions;
  const headline = instructionsHeadline({ request, instructions });
  const whole = { baseline: perRequest.baseline.center, comparison: perRequest.comparison.center };
  const [first, second] = [sideTitle('baseline', request), sideTitle('comparison', request)];
  const columns = quantities([first, 'first'], [second, 'second'], ['Difference', 'difference']);
  return reportOf(document, {
    title: headline.title,
    lead: [...leadOf(headline), text(...instructionSentences({ request, instructions }))],
    measured: `${countsInWords(instructions)}, by one user, counted by Valgrind ${valgrind}.`,
    about: ['A function without a name, or one that no group knows, belongs to its callers.'],
    notes: instructionNotes,
    sections: [
      {
        heading: 'Instructions of a request',
        parts: [
          table(
            [...texts('Goes to'), ...columns],
            [...groups.map((row) => [groupTitles[row.group], ...cellsOf(row)]), ['All', ...cellsOf(whole)]],
            null,
            [...groups.map(({ group }) => group), 'all'].map((group) => `explain/instructions/${group}`),
          ),
        ],
      },
      {
        heading: 'Functions that differ most, instructions of a request',
        isDetail: true,
        parts: [
          table(
            [...texts('Function', 'Library'), ...columns],
            functions.map((row) => [row.name, row.library, ...cellsOf(row)]),
            null,
            functions.map(({ name, library }) => `explain/instructions/${name} of ${library}`),
          ),
        ],
      },
    ],
    where: [`Server: ${softwareInWords(server)}`],
  });
}

function usCells(row: Parameters<typeof printUsRow>[0]): string[] {
  const { baseline, comparison, delta } = printUsRow(row);
  return [baseline, comparison, delta];
}

function cellsOf({ baseline, comparison }: { baseline: number; comparison: number }): string[] {
  return [
    ...[printInstructions(baseline), printInstructions(comparison)],
    printMoreInstructions(comparison - baseline),
  ];
}

/**
 * Folded stacks with two columns, ns a request of the baseline and of the comparison, as `difffolded.pl` writes them and `flamegraph.pl` reads them
 * (https://github.com/brendangregg/FlameGraph).
 */
export function printFolded(document: ExplainDocument): string {
  const lines = [...stackCosts(document)].map(([stack, us]) => {
    const columns = sideNames.map((side) => Math.round(1000 * us[side]));
    return `${stack} ${columns.join(' ')}\n`;
  });
  return lines.join('');
}

/** A profile of each side, in µs a request (https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources). */
export function printSpeedscope(document: ExplainDocument): string {
  const costs = [...stackCosts(document)].map(([stack, us]) => ({ frames: stack.split(';'), us }));
  const names = [...new Set(costs.flatMap(({ frames }) => frames))];
  const indexOf = new Map(names.map((name, index) => [name, index]));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: `TLS Toll ${document.id}`,
    exporter: 'TLS Toll',
    shared: { frames: names.map((name) => ({ name })) },
    profiles: sideNames.map((side) => {
      const own = costs.filter(({ us }) => us[side] > 0);
      return {
        ...{ type: 'sampled', name: sideTitle(side, document.request), unit: 'microseconds' },
        ...{ startValue: 0, endValue: own.reduce((sum, { us }) => sum + us[side], 0) },
        samples: own.map(({ frames }) => frames.map((name) => indexOf.get(name))),
        weights: own.map(({ us }) => us[side]),
      };
    }),
  });
}

/** Each stack with what a request spends in it on both sides, µs. */
function stackCosts({ stacks, samples, cpuUs }: ExplainDocument): Map<string, BySide<number>> {
  const costs = new Map<string, BySide<number>>();
  for (const side of sideNames) {
    const sampleUs = (cpuUs?.[side].center ?? 0) / Math.max(1, samples[side]);
    for (const each of stacks[side]) {
      const known = costs.get(each.stack) ?? { baseline: 0, comparison: 0 };
      known[side] += each.samples * sampleUs;
      costs.set(each.stack, known);
    }
  }
  return costs;
}

export const requestTimeoutMs = 5000;
/** Times per launch: until it is warm at the latest, without a recording, and with it. */
export type ExplainTimes = { warmUpMs: number; plainMs: number; recordedMs: number };
export const usualTimes: ExplainTimes = { warmUpMs: 1200, plainMs: 800, recordedMs: 2000 };
/** Starting the server and perf, and ending perf. */
const aroundS = 2.5;
const warmUpS = 1.5;

/** They compile what runs often, and take longer until they are warm. */
const compilers: readonly string[] = ['node', 'jdk', storefront];
const compilingFactor = 4;

function warmUpFactor(target: Target): number {
  return compiles(target) ? compilingFactor : 1;
}

function compiles(target: Target): boolean {
  return compilers.includes(target.kind === 'managed' ? target.server : target.kind);
}

/** The parts of a plan that warming up and finding a load need. */
export function loadPlanOf({ users, load, target }: Explained, times: ExplainTimes) {
  const factor = warmUpFactor(target);
  return {
    arms: explainArms,
    ...{ users: load?.users ?? users, generators: 1, maximumMs: usualTimes.recordedMs },
    ...{ thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { transactions: null, longestMs: factor * times.warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

/**
 * Reading a recording: perf goes through every sample of every recorded core, whoever it belongs to, before it passes over those of other
 * processes. A sample with a piece of the stack takes longer than one with frame pointers. Source: recordings of 35 to 77 MB took 2.3 s of
 * CPU, with any number of samples of the target, and 8 to 15 s on a machine with ten runnable processes per core.
 */
const readingMs = { symbols: 1000, tables: 2, frames: 0.5 };

/** Beyond the other launches, the first one finds the load, and among running programs those that work for a request. */
const findingS = { load: 4, programs: 3 };

/** Expected times. @param cores of this machine, all of which are recorded where other programs may work for a running target */
export function explainPhases(
  launches: number,
  { target, users, load }: Pick<Explained, 'target' | 'users' | 'load'>,
  cores: number,
): Phase<'preparing' | 'measuring'>[] {
  const { plainMs, recordedMs } = usualTimes;
  const isRunning = target.kind === 'origins';
  const samples = ((isRunning ? cores : 1) * samplesPerS * recordedMs) / 1000;
  const perSampleMs = readingMs[compiles(target) ? 'frames' : 'tables'];
  const readingS = (readingMs.symbols + perSampleMs * samples) / 1000;
  const launchS = aroundS + warmUpFactor(target) * warmUpS + (plainMs + recordedMs) / 1000 + readingS;
  const isFound = users === null && load == null;
  const firstS = (isFound ? findingS.load : 0) + (isRunning ? findingS.programs : 0);
  return [
    { name: 'preparing', seconds: 2 },
    { name: 'measuring', seconds: launches * launchS + firstS, rounds: launches },
  ];
}
