import { ProblemError } from '../../shared/base/problem.ts';
import { endWithStarter } from '../base/process/end-with-starter.ts';
import { takeTemporaryDirectory } from '../life/database/temporary-directory.ts';
import { serve } from './commands/serve.ts';

/** The dashboard, until it is told to stop. */
try {
  takeTemporaryDirectory();
  endWithStarter(process.env);
  process.exit(await serve([]));
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  process.stderr.write(`${error.problem.detail}\n${error.problem.advice}\n`);
  process.exit(1);
}
