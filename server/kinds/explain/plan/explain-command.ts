import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../../shared/kinds/explain/options.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** The command that repeats a measurement: the same bursts in the same order. */
export function explainCommand(request: ExplainRequest, seed: number): string {
  const { run, target, launches } = request;
  if (run !== undefined) return spell([`--run ${run.id}`, ...flagsOf(ofAnyRun, { launches, seed })]);
  if (target === undefined) return spell(flagsOf(explainOptions, { ...request, seed }));
  const { options, processOptions } = factsOf(target);
  return spell([...options, ...processOptions, ...flagsOf(ofRunning, { ...request, seed })]);
}

function spell(words: readonly string[]): string {
  return ['npx tls-toll explain', ...words].join(' ');
}

/** What a run does not say. */
const ofAnyRun = explainOptions.filter(({ id }) => id === 'launches' || id === 'seed');

/** What a server that is running already does not say itself. */
const ofRunning = explainOptions.filter(({ id }) => !['server', 'bytes', 'key'].includes(id));
