import type { MeasurementState } from '../../../../shared/measurement.ts';
import type { RunDocument } from '../../../../shared/run.ts';

const words: Record<MeasurementState, string> = {
  queued: 'This run waits for its turn.',
  running: 'This run is still going on; there is no verdict before its end.',
  finished: 'This run has finished without a verdict.',
  incomplete: 'This run was cancelled: its blocks are kept, and there is no verdict.',
  interrupted: 'This run was interrupted: its blocks are kept, and there is no verdict.',
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

/** "10 of 12 blocks kept". */
export function blocksInWords({ blocks }: Pick<RunDocument, 'blocks'>): string {
  const kept = blocks.filter(({ reasons }) => reasons.length === 0).length;
  return `${kept} of ${blocks.length} ${blocks.length === 1 ? 'block' : 'blocks'} kept`;
}
