import type { Phase, ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { digestOf } from '../../../shared/words/digest.ts';
import { sidesOf } from '../../format/option-form.ts';
import { FinishedPage } from './finished-page.tsx';
import { LiveBlocks } from './live-blocks.tsx';
import { followBlocks, noFigures } from './live-figures.ts';

type Words = { name: Phase; title: string; text: string };

const phases = {
  waiting: {
    name: 'waiting for generators',
    title: 'Generators',
    text: 'Wait up to a minute until enough hosts have joined.',
  } satisfies Words,
  beforeMeasuring: [
    { name: 'starting', title: 'Start', text: 'Start the load generator and the target.' },
    { name: 'preflight', title: 'Preflight', text: 'Check that both sides serve the same application.' },
    { name: 'warm-up', title: 'Warm-up', text: 'Warm the target up until CPU per transaction settles.' },
    { name: 'finding the load', title: 'Finding the load', text: 'Try how many users the target takes.' },
  ] satisfies Words[],
  measuring: {
    name: 'measuring',
    title: 'Measuring',
    text: 'Load each side in short bursts, and send one user’s transactions to both sides back to back.',
  } satisfies Words,
  browser: {
    name: 'browser',
    title: 'Browser',
    text: 'The verdict is ready. Visit each side in a browser to see what it caches.',
  } satisfies Words,
  afterwards: {
    name: 'analyzing',
    title: 'Analyzing',
    text: 'Compute intervals and verdicts.',
  } satisfies Words,
};

export const comparisonView = {
  noun: 'run',
  page: 'r' as const,
  subject({ scenario, sides }: ShownRun) {
    const { baseline, comparison } = sidesOf(sides);
    return `${baseline.label} and ${comparison.label} with “${scenario.name}”`;
  },
  method(document: ShownRun) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `${baseline.label} and ${comparison.label} take turns in random order. There is no verdict before the last launch.`;
  },
  phases({ plan }: ShownRun) {
    const { waiting, beforeMeasuring, measuring, browser, afterwards } = phases;
    const first = plan.generatorHosts === undefined ? [] : [waiting];
    return [...first, ...beforeMeasuring, measuring, afterwards, browser];
  },
  figures: noFigures,
  follow: followBlocks,
  Live: LiveBlocks,
  Finished: FinishedPage,
  digest: digestOf,
  csvRow: 'slot',
};
