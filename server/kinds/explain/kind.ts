import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import {
  type ExplainDocument,
  type ExplainFacts,
  type ExplainLaunch,
  type ExplainRequest,
  explainDocumentSchema,
  explainFactsSchema,
  explainLaunchSchema,
  explainRequestSchema,
  explainSchemaVersion,
} from '../../../shared/kinds/explain/explain.ts';
import { explainSentences, explainTitle } from '../../../shared/kinds/explain/explain-sentence.ts';
import { instructionSentences } from '../../../shared/kinds/explain/instruction-sentence.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { demandCountable } from '../../targets/managed/demand-countable.ts';
import { demandValgrind } from '../../targets/sampling/callgrind/demand-valgrind.ts';
import { demandPerf } from '../../targets/sampling/perf/demand-perf.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { demandHere } from '../demand-here.ts';
import type { ConfiguredHouse } from '../house.ts';
import type { Kind } from '../kind.ts';
import { analyseExplain } from './analyse/analyse-explain.ts';
import { explainChanges, instructionChanges } from './explain-changes.ts';
import { explainCommand } from './plan/explain-command.ts';
import { askedServer } from './plan/plan-explain.ts';
import { explainRows } from './report/explain-rows.ts';
import { printFolded, printSpeedscope } from './report/print-stacks.ts';
import { reportExplain } from './report/report-explain.ts';

/** What the CPU of a request goes to. */
export const explain: Kind<ExplainRequest, ExplainFacts, ExplainLaunch, ExplainDocument, ConfiguredHouse> = {
  name: 'explain',
  noun: 'an explanation',
  caption: 'Where the microseconds go',
  page: 'l',
  requestSchema: explainRequestSchema,
  factsSchema: explainFactsSchema,
  blockSchema: explainLaunchSchema,
  documentSchema: explainDocumentSchema,
  documentVersion: explainSchemaVersion,
  upgraders: {},
  title: (request) => `${request.instructions ? 'Instructions' : 'CPU'} of ${explainTitle(request)}`,
  targets: ({ server }) => [serverTitles[server]],
  async prepare(request, _secrets, house) {
    if (request.baseline === request.comparison) {
      throw problem('invalid_request', {
        detail: 'Both sides are the same, so there is no difference to explain.',
        errors: [{ field: 'comparison', message: 'Choose another protocol than that of the baseline.' }],
      });
    }
    if (request.instructions) {
      demandCountable(request.server);
      demandValgrind();
    } else demandPerf();
    await demandHere(askedServer(request), house, 'An explanation');
    return {
      facts: {
        seed: request.seed ?? randomInt(2 ** 31),
        ...{ load: null, placement: null, negotiated: null, instructions: null, warnings: [] },
        server: { title: serverTitles[request.server], version: null, tlsLibrary: null },
      },
      summary: {},
      revisionId: null,
    };
  },
  secretsOf: () => [],
  async conduct(task, watch, house) {
    if (task.request.instructions) {
      const { conductCounts } = await import('./conduct/conduct-counts.ts');
      return conductCounts(task, watch, house);
    }
    const { conductExplain } = await import('./conduct/conduct-explain.ts');
    return conductExplain(task, watch, house);
  },
  documentOf: (frame, { facts, blocks }) => ({
    schemaVersion: explainSchemaVersion,
    kind: 'explain',
    ...frame,
    command: explainCommand(frame.request, facts.seed),
    ...facts,
    ...analyseExplain(blocks),
    launches: blocks.map(({ sides: { baseline, comparison }, ...launch }) => ({
      ...launch,
      sides: { baseline: withoutStacks(baseline), comparison: withoutStacks(comparison) },
    })),
  }),
  summaryOf: () => ({}),
  rows: explainRows,
  report: reportExplain,
  form: (document, suffix) =>
    document.request.instructions
      ? null
      : suffix === 'folded'
        ? printFolded(document)
        : suffix === 'speedscope.json'
          ? printSpeedscope(document)
          : null,
  sentences: (document) =>
    document.instructions === null
      ? explainSentences(document)
      : instructionSentences({ ...document, instructions: document.instructions }),
  changes: (from, to) =>
    changesOfFigures(to.document.request.instructions ? instructionChanges : explainChanges, from, to),
};

function withoutStacks({ stacks: _, ...side }: ExplainLaunch['sides']['baseline']) {
  return side;
}
