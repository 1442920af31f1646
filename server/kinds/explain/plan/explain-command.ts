import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../../shared/kinds/explain/options.ts';

/** The command that repeats a measurement: the same bursts in the same order. */
export function explainCommand(request: ExplainRequest, seed: number): string {
  const { run, launches } = request;
  const flags =
    run === undefined
      ? flagsOf(explainOptions, { ...request, seed })
      : [`--run ${run.id}`, ...flagsOf(ofAnyRun, { launches, seed })];
  return ['npx tls-toll explain', ...flags].join(' ');
}

/** What a run does not say. */
const ofAnyRun = explainOptions.filter(({ id }) => id === 'launches' || id === 'seed');
