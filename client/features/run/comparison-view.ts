import type { Phase } from '../../../shared/kinds/comparison/run.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/shown-run.ts';
import { digestOf } from '../../../shared/words/digest/digest.ts';
import { sidesOf } from '../../format/side.ts';
import { FinishedPage } from './finished/finished-page.tsx';
import { LiveBlocks } from './live/live-blocks.tsx';
import { followBlocks, noFigures } from './live/live-figures.ts';

/** A run on the page of a measurement. */
export const comparisonView = {
  noun: 'run',
  page: 'r' as const,
  subject: ({ scenario }: ShownRun) => scenario.name,
  method(document: ShownRun) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `${baseline.label} and ${comparison.label} take turns in random order. There is no verdict before the last launch.`;
  },
  phases: [
    { name: 'preflight', title: 'Preflight', text: 'Check that both sides serve the same application.' },
    {
      name: 'warm-up',
      title: 'Warm-up',
      text: 'Start the target, warm it up, and find out what load it takes.',
    },
    {
      name: 'measuring',
      title: 'Measuring',
      text: 'Load each side in short bursts, and send one user’s transactions to both sides back to back.',
    },
    { name: 'analysing', title: 'Analyzing', text: 'Compute intervals and verdicts.' },
  ] satisfies { name: Phase; title: string; text: string }[],
  figures: noFigures,
  follow: followBlocks,
  Live: LiveBlocks,
  Finished: FinishedPage,
  digest: digestOf,
  csvRow: 'slot',
};
