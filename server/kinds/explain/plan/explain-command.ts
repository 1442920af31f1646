import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../../shared/kinds/explain/options.ts';

/** The command that repeats a measurement: the same bursts in the same order. */
export function explainCommand(request: ExplainRequest, seed: number): string {
  return ['npx tls-toll explain', ...flagsOf(explainOptions, { ...request, seed })].join(' ');
}
