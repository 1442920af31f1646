import { addedTo } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { bySide, knownSide } from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { Verdict } from '../../../shared/kinds/comparison/comparison.ts';
import { qualityOf } from '../../../shared/kinds/comparison/quality.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf, type RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import type { MeasurementState } from '../../../shared/measurement/measurement.ts';
import type { Found, RunSummary } from '../../../shared/results/summary.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { digestOf, withTitle } from '../../../shared/words/digest.ts';
import { asMarkdown, quietly } from '../../../shared/words/message.ts';
import { namedByChain, negotiatedWords } from '../../../shared/words/negotiated-words.ts';
import { pooledHeadline } from '../../../shared/words/precision-words.ts';
import { knownSidesOf, targetNameOf } from '../../../shared/words/side-words.ts';
import { commonSettings } from '../../../shared/words/unasked-differences.ts';
import type { Mask } from '../../intake/traffic/redaction.ts';
import { verdictSentence } from '../../method/statistics/verdict-sentence.ts';
import { isKept } from './compared-metric.ts';

type Beside = {
  /** Null where there is none that others could open. */
  link: string | null;
  /** That somebody gave it. */
  title: string | null;
};

/** A run in Markdown for a comment: the verdict with its figures, or why there is none. */
export function printComment(run: RunDocument, { link, title }: Beside): string {
  const digest = digestOf(run);
  if (digest !== null) return asMarkdown(withTitle(digest, title), link);
  const parts = [`### ${quietly(headlineOf(run))}`, ...(title === null ? [] : [quietly(title)])];
  return `${parts.join('\n\n')}\n`;
}

const words: Record<MeasurementState, string> = {
  queued: 'This run is waiting in the queue.',
  running: 'This run is still in progress. The verdict appears when it ends.',
  finished: 'This run finished without a verdict.',
  incomplete: 'This run was canceled before a verdict.',
  interrupted: 'This run was interrupted before a verdict.',
  refused: 'This run was refused.',
  failed: 'This run failed.',
};

/** The verdict, or why there is none. */
export function headlineOf({
  state,
  verdict,
  problem,
}: Pick<RunDocument, 'state' | 'verdict' | 'problem'>): string {
  if (verdict !== null) return verdict.sentence;
  return problem === null ? words[state] : `${words[state]} ${problem.detail} ${problem.advice}`;
}

/** "4 launches; 23 of 24 blocks kept; 3.1 % of the windows set aside". */
export function blocksInWords({ blocks, launches }: Pick<RunDocument, 'blocks' | 'launches'>): string {
  const kept = blocks.filter(isKept).length;
  const windows = blocks.flatMap((block) => block.windows);
  const aside = windows.filter((window) => window.aside).length;
  return [
    ...(launches.length === 0 ? [] : [counted(launches.length, 'launch', 'launches')]),
    `${kept} of ${counted(blocks.length, 'block', 'blocks')} kept`,
    ...(windows.length === 0 ? [] : [`${printShare(aside / windows.length)} of the windows set aside`]),
  ].join('; ');
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

type Line = Pick<
  RunSummary,
  | 'scenario'
  | 'target'
  | 'length'
  | 'sides'
  | 'verdict'
  | 'pooled'
  | 'found'
  | 'continues'
  | 'settings'
  | 'tls'
>;

/** A run's columns in lists, without its title. */
export function summaryOf(document: RunDocument): Line {
  const { scenario, plan, sides, verdict, tls } = document;
  const pooled = pooledVerdict(document);
  const found = foundIn(document);
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  return {
    scenario: scenario.name,
    target: targetNameOf(askedSidesOf(document)),
    length: plan.length,
    sides: bySide((side) => knownSide(sides[side])),
    verdict,
    ...(pooled === null ? {} : { pooled }),
    ...(found === null ? {} : { found }),
    ...(document.continued === undefined ? {} : { continues: document.continued.id }),
    ...settingsOf({ ...document.asked, kind: 'comparison', target: document.target }),
    ...(negotiated === null ? {} : { tls: negotiated }),
  };
}

export function summariseAsked(request: RunRequest, scenario: Scenario): Line {
  const verdict: Verdict | null = null;
  return {
    scenario: scenario.name,
    target: targetNameOf(request),
    length: request.length,
    sides: knownSidesOf(request),
    verdict,
    ...settingsOf(request),
  };
}

function settingsOf(request: RunRequest): Pick<RunSummary, 'settings'> {
  const settings = commonSettings(request);
  return settings.length === 0 ? {} : { settings };
}

/** Null where the metric of the verdict has no ratio. The amount of what was pooled is that of the pooled ratio of this baseline. */
function foundIn(document: RunDocument): Found | null {
  const { verdict, metrics } = document;
  const row = metrics.find(({ id }) => id === verdict?.metric);
  if (verdict === null || row === undefined || row.ratio === null || row.baseline === null) return null;
  const headline = pooledHeadline(document);
  const pooled = headline?.metric === row.id ? headline.pooled : null;
  const { ratio, outcome } = pooled ?? { ratio: row.ratio, outcome: row.outcome };
  const delta = pooled === null ? row.delta : addedTo(row.baseline, ratio);
  const amount = shiftOf({ ...row, ratio, outcome, delta })?.absolute ?? null;
  return { metric: row.id, outcome, ratio, amount, quality: qualityOf(document).quality };
}

type Judged = Pick<
  RunDocument,
  | 'verdict'
  | 'metrics'
  | 'pool'
  | 'sides'
  | 'plan'
  | 'scenario'
  | 'atLoad'
  | 'connectionsPerTransaction'
  | 'cpuOf'
>;

/** The verdict of a run and those that it pools: `HTTPS costs 18 µs more server CPU per request, +43 % at load (5 runs)`. Null where it pools none in its metric. */
export function pooledVerdict(run: Judged): Verdict | null {
  const { verdict, metrics, pool, plan, scenario } = run;
  const headline = pooledHeadline({ verdict, ...(pool === undefined ? {} : { pool }) });
  if (verdict === null || headline === null || headline.metric !== verdict.metric) return null;
  const { ratio, outcome, runs } = headline.pooled;
  const row = metrics.find(({ id }) => id === verdict.metric);
  if (row === undefined || row.baseline === null) return null;
  const delta = addedTo(row.baseline, ratio);
  const pooled = verdictSentence([{ ...row, ratio, delta, outcome }], {
    ...{ ...run, sides: namedByChain(run.sides, run.cpuOf) },
    ...{ tolerance: plan.tolerance, steps: scenario.steps.length },
  });
  return { ...pooled, sentence: `${pooled.sentence} (${printNumber(runs.length, 0)} runs)` };
}

/** A block whose sentences hold no secret. Its figures are left alone: a histogram is text as well, and holds any letters. */
export function maskBlock(block: Block, mask: Mask): Block {
  return {
    ...block,
    reasons: mask(block.reasons),
    slots: block.slots.map((slot) => ({
      ...slot,
      load: { ...slot.load, errors: mask(slot.load.errors) },
    })),
  };
}
