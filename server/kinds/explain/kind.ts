import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import {
  type Explained,
  type ExplainLaunch,
  type ExplainRequest,
  explainArms,
  explainedOf,
  explain as shapes,
} from '../../../shared/kinds/explain/explain.ts';
import {
  explainedTitle,
  explainHeadline,
  explainTitle,
  instructionsHeadline,
  whyNotExplained,
} from '../../../shared/words/explain-sentence.ts';
import { isNullRun } from '../../../shared/words/side-words.ts';
import { demandCountable, demandValgrind } from '../../targets/managed/kept-servers.ts';
import { askTarget, demandPermitted } from '../../targets/open/open-target.ts';
import { demandPerf } from '../../targets/sampling/record-stacks.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { changesOfFigures, defineKind } from '../define-kind.ts';
import {
  analyseExplain,
  explainChanges,
  explainCommand,
  explainRows,
  instructionChanges,
} from './explain-analysis.ts';
import { printFolded, printSpeedscope, reportExplain } from './explain-report.ts';

/** Breaks down the CPU of a request. */
export const explain = defineKind<typeof shapes, ConfiguredHouse>(shapes, {
  noun: 'an explanation',
  caption: 'Where the microseconds go',
  page: 'l',
  title: (request) => `${request.instructions ? 'Instructions' : 'CPU'} of ${explainTitle(request)}`,
  targets: (request) => [explainedTitle(request)],
  async prepare(request, _secrets, house) {
    const explained = explainedOf(request);
    const why = whyNotExplained(explained);
    if (why !== null) throw problem('not_explainable', why);
    if (request.run === undefined && isNullRun(explained)) {
      throw problem('invalid_request', {
        detail: 'Both sides are the same, so there is no difference to explain.',
        errors: [{ field: 'comparison', message: 'Choose another protocol than that of the first side.' }],
      });
    }
    await demandHereToSample(explained, house);
    if (request.instructions) demandCounted(request, explained);
    else demandPerf();
    return {
      facts: {
        seed: request.seed ?? randomInt(2 ** 31),
        ...{ load: explained.load, placement: null, negotiated: null, instructions: null },
        warnings: warningsOf(explained),
        server: { title: explainedTitle(request), version: null, tlsLibrary: null },
      },
    };
  },
  conduct: async (task, watch, house) =>
    task.request.instructions
      ? (await import('./conduct-counts.ts')).conductCounts(task, watch, house)
      : (await import('./conduct-explain.ts')).conductExplain(task, watch, house),
  command: explainCommand,
  documentOf: (head, { facts, blocks }) => ({
    ...{ ...head, ...facts },
    ...analyseExplain(blocks),
    launches: blocks.map(({ sides: { baseline, comparison }, ...launch }) => ({
      ...launch,
      sides: { baseline: withoutStacks(baseline), comparison: withoutStacks(comparison) },
    })),
  }),
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
  headline: (document) =>
    document.instructions === null
      ? explainHeadline(document)
      : instructionsHeadline({ ...document, instructions: document.instructions }),
  changes: (from, to) =>
    changesOfFigures(to.document.request.instructions ? instructionChanges : explainChanges, from, to),
});

/** Throws target_not_permitted for a target on another host, whose processes perf does not see. */
async function demandHereToSample(explained: Explained, house: ConfiguredHouse): Promise<void> {
  const permit = await demandPermitted(askTarget(explained, explainArms, {}), house);
  if (permit === null) return;
  const message = `perf samples processes of this machine, and ${permit.host} is another host. Run TLS Toll there to explain it.`;
  throw problem('target_not_permitted', { detail: message, errors: [{ field: 'target', message }] });
}

/** Throws not_countable, and valgrind_missing without Valgrind. */
function demandCounted(request: ExplainRequest, { target }: Explained): void {
  if (target.kind === 'managed' && request.run === undefined) {
    demandCountable(target.server);
    demandValgrind();
    return;
  }
  const message = 'Valgrind counts the instructions of a server that it starts. Choose one, such as nginx.';
  const field = request.run !== undefined ? 'run' : request.target === undefined ? 'server' : 'target';
  throw problem('not_countable', { detail: message, errors: [{ field, message }] });
}

function warningsOf({ target }: Explained): string[] {
  return target.kind === 'origins'
    ? ['The server was already running and was not restarted: the intervals are about these processes.']
    : [];
}

function withoutStacks({ stacks: _, ...side }: ExplainLaunch['sides']['baseline']) {
  return side;
}
