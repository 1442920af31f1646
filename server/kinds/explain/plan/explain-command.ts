import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../../shared/kinds/explain/options.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** The command that repeats a measurement: the same bursts in the same order. */
export function explainCommand(request: ExplainRequest, seed: number): string {
  const { target } = request;
  const [options, words] =
    target === undefined
      ? [explainOptions, []]
      : [ofRunning, [...factsOf(target).options, ...factsOf(target).processOptions]];
  return ['npx tls-toll explain', ...words, ...flagsOf(options, { ...request, seed })].join(' ');
}

/** What a server that is running already does not say itself. */
const ofRunning = explainOptions.filter(({ id }) => !['server', 'bytes', 'key'].includes(id));
