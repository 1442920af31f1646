import { ProblemError } from '../shared/problem.ts';
import { serve } from './commands/serve.ts';
import { takeTemporaryDirectory } from './database/temporary-directory.ts';

/** `npm start`: the dashboard, until it is told to stop. */
try {
  takeTemporaryDirectory();
  process.exit(await serve([]));
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  process.stderr.write(`${error.problem.detail}\n${error.problem.advice}\n`);
  process.exit(1);
}
