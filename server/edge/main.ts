import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ProblemError } from '../../shared/base/problem.ts';

/** `npm start`: the dashboard, until it is told to stop. */
try {
  // A third of a start is stripping types and compiling. Where nothing can be written, it goes without.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
  const { takeTemporaryDirectory } = await import('../life/database/temporary-directory.ts');
  const { serve } = await import('./commands/serve.ts');
  const { endWithStarter } = await import('../base/process/end-with-starter.ts');
  takeTemporaryDirectory();
  endWithStarter(process.env);
  process.exit(await serve([]));
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  process.stderr.write(`${error.problem.detail}\n${error.problem.advice}\n`);
  process.exit(1);
}
