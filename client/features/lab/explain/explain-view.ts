import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { explainTitle } from '../../../../shared/words/explain-sentence.ts';
import { ExplainResultPage } from './explain-result-page.tsx';

export const explainView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: ({ request }: ExplainDocument) =>
    `${request.instructions ? 'instructions' : 'the CPU'} of ${explainTitle(request)}`,
  method: ({ request }: ExplainDocument) =>
    request.instructions
      ? 'Valgrind runs the server and counts its instructions while one user requests a document repeatedly.'
      : 'Every launch starts a new server. Bursts of requests go to each side in random order while perf samples its processes.',
  phases: ({ request }: ExplainDocument) =>
    [
      {
        name: 'preparing',
        title: 'Preparing',
        text: 'Start the server, and compare the content of both sides.',
      },
      {
        name: 'measuring',
        title: 'Measuring',
        text: request.instructions
          ? 'Warm up each side, and count its instructions several times.'
          : 'Warm up each launch, measure it, and record it.',
      },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: ExplainResultPage,
  csvRow: 'group of a side in a launch, or count of a side',
  forms: ({ request }: ExplainDocument) =>
    request.instructions
      ? []
      : [
          { suffix: 'folded', name: 'Folded stacks', content: 'One row per stack, for flamegraph.pl' },
          { suffix: 'speedscope.json', name: 'Speedscope', content: 'A profile of each side' },
        ],
};
