import type { Problem, ProblemError } from '../../../../shared/base/problem.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import { endWithParent } from '../../../base/process/children.ts';
import { type ImportFacts, importStream } from '../import-stream.ts';

/** Result of an import: from its own process, or from outside of it with an error. */
export type Outcome =
  | { report: ImportReport }
  | { problem: Problem }
  | { failed: string }
  | { error: unknown };

/** The process of `importApart`: it is sent the facts, reads what comes in, sends the outcome, and is ended. */

// A parser that is kept busy does not notice that its parent is gone.
endWithParent();
process.once('message', async (facts: ImportFacts) => {
  const outcome = await importStream(process.stdin, facts).then((report) => ({ report }), failureOf);
  process.send?.(outcome);
});
// Ctrl-C goes to every process of the terminal. The parent decides when its processes end.
process.on('SIGINT', () => {});

function failureOf(error: Error | ProblemError): Outcome {
  return 'problem' in error ? { problem: error.problem } : { failed: String(error.stack) };
}
