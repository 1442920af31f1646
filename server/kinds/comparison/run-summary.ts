import { printShare } from '../../../shared/base/quantity.ts';
import { bySide, knownSide } from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { Verdict } from '../../../shared/kinds/comparison/comparison.ts';
import { qualityOf } from '../../../shared/kinds/comparison/quality.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf, type RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { printDifferenceOf } from '../../../shared/kinds/comparison/shift.ts';
import type { MeasurementState } from '../../../shared/measurement/measurement.ts';
import type { Found, RunSummary } from '../../../shared/results/summary.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { digestOf, withTitle } from '../../../shared/words/digest.ts';
import { headlineRowOf, perConnection } from '../../../shared/words/headline.ts';
import { asMarkdown, quietly } from '../../../shared/words/message.ts';
import { negotiatedWords } from '../../../shared/words/negotiated-words.ts';
import { knownSidesOf, targetNameOf } from '../../../shared/words/side-words.ts';
import { commonSettings } from '../../../shared/words/unasked-differences.ts';
import type { Mask } from '../../intake/traffic/redaction.ts';
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
  const parts = [`### ${quietly(standingOf(run))}`, ...(title === null ? [] : [quietly(title)])];
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

/** Why there is no verdict. */
export function standingOf({ state, problem }: Pick<RunDocument, 'state' | 'problem'>): string {
  return problem === null ? words[state] : `${words[state]} ${problem.detail} ${problem.advice}`;
}

/** "4 starts; 23 of 24 parts kept; 3.1 % of rounds discarded". */
export function blocksInWords({ blocks, launches }: Pick<RunDocument, 'blocks' | 'launches'>): string {
  const kept = blocks.filter(isKept).length;
  const windows = blocks.flatMap((block) => block.windows);
  const aside = windows.filter((window) => window.aside).length;
  return [
    ...(launches.length < 2 ? [] : [`${launches.length} starts`]),
    `${kept} of ${blocks.length} ${blocks.length === 1 ? 'part' : 'parts'} kept`,
    ...(windows.length === 0 ? [] : [`${printShare(aside / windows.length)} of rounds discarded`]),
  ].join('; ');
}

type Line = Pick<
  RunSummary,
  | 'scenario'
  | 'target'
  | 'length'
  | 'sides'
  | 'verdict'
  | 'found'
  | 'continues'
  | 'settings'
  | 'tls'
  | 'leftOut'
>;

/** Line of a list, beside the headline. */
export function summaryOf(document: RunDocument): Line {
  const { scenario, plan, sides, verdict, tls } = document;
  const found = foundIn(document);
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  const { leftOut = [] } = document.pool ?? {};
  return {
    scenario: scenario.name,
    target: targetNameOf(askedSidesOf(document)),
    length: plan.length,
    sides: bySide((side) => knownSide(sides[side])),
    verdict,
    ...(found === null ? {} : { found }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
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

/** Figures of the headline; null where its metric has no ratio. */
function foundIn(document: RunDocument): Found | null {
  const row = headlineRowOf(document)?.row;
  if (row === undefined || row.ratio === null) return null;
  const { id: metric, outcome, ratio } = row;
  const amount = printDifferenceOf(perConnection(row, document))?.signed ?? null;
  return { metric, outcome, ratio, amount, quality: qualityOf(document).quality };
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
