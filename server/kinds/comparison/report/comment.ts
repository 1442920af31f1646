import { printShare } from '../../../../shared/base/quantity.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { MeasurementState } from '../../../../shared/measurement/measurement.ts';
import { digestOf, withTitle } from '../../../../shared/words/digest.ts';
import { asMarkdown, quietly } from '../../../../shared/words/message.ts';
import { isKept } from '../analyse/compare-metric.ts';

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
