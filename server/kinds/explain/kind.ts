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
import {
  explainedTitle,
  explainSentences,
  explainTitle,
} from '../../../shared/kinds/explain/explain-sentence.ts';
import { instructionSentences } from '../../../shared/kinds/explain/instruction-sentence.ts';
import { storefront } from '../../../shared/kinds/explain/options.ts';
import { whyNotExplained } from '../../../shared/kinds/explain/why-not-explained.ts';
import { demandCountable } from '../../targets/managed/demand-countable.ts';
import { demandPermitted } from '../../targets/open-target.ts';
import { demandValgrind } from '../../targets/sampling/callgrind/demand-valgrind.ts';
import { demandPerf } from '../../targets/sampling/perf/demand-perf.ts';
import { changesOfFigures } from '../compare-figures.ts';
import type { ConfiguredHouse } from '../house.ts';
import type { Kind } from '../kind.ts';
import { analyseExplain } from './analyse/analyse-explain.ts';
import { askedTarget } from './conduct/asked-target.ts';
import { explainChanges, instructionChanges } from './explain-changes.ts';
import { explainCommand } from './plan/explain-command.ts';
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
  targets: (request) => [explainedTitle(request)],
  async prepare(request, _secrets, house) {
    const { run } = request;
    const why = run === undefined ? null : whyNotExplained(run);
    if (why !== null) throw problem('not_explainable', why);
    if (run === undefined && request.baseline === request.comparison) {
      throw problem('invalid_request', {
        detail: 'Both sides are the same, so there is no difference to explain.',
        errors: [{ field: 'comparison', message: 'Choose another protocol than that of the baseline.' }],
      });
    }
    await demandSampled(request, house);
    if (request.instructions) demandCounted(request);
    else demandPerf();
    return {
      facts: {
        seed: request.seed ?? randomInt(2 ** 31),
        ...{ load: run?.load ?? null, placement: null, negotiated: null, instructions: null },
        warnings: warningsOf(request),
        server: { title: explainedTitle(request), version: null, tlsLibrary: null },
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

/** Throws target_not_permitted for a target on another host, whose processes perf does not see. */
async function demandSampled(request: ExplainRequest, house: ConfiguredHouse): Promise<void> {
  const asked = askedTarget(request);
  const permit = await demandPermitted(asked, house);
  const elsewhere =
    permit?.host ?? (asked.target.kind === 'origins' ? asked.target.agent?.address : undefined);
  if (elsewhere === undefined) return;
  const message = `perf samples processes of this machine, and ${elsewhere} is another host. Run TLS Toll there to explain it.`;
  throw problem('target_not_permitted', { detail: message, errors: [{ field: 'target', message }] });
}

/** Throws not_countable, and valgrind_missing without Valgrind. */
function demandCounted({ server, target }: ExplainRequest): void {
  if (target === undefined && server !== storefront) {
    demandCountable(server);
    demandValgrind();
    return;
  }
  const message =
    'Instructions are counted of a server that is started in Valgrind. Choose one, such as nginx.';
  const field = target === undefined ? 'server' : 'target';
  throw problem('not_countable', { detail: message, errors: [{ field, message }] });
}

function warningsOf({ target, run }: Pick<ExplainRequest, 'target' | 'run'>): string[] {
  return target === undefined && run?.target.kind !== 'origins'
    ? []
    : ['The server was running already and was not restarted: the intervals are about these processes.'];
}

function withoutStacks({ stacks: _, ...side }: ExplainLaunch['sides']['baseline']) {
  return side;
}
