import { runCommand } from './commands/run-command.ts';

// The reader of the output has gone, so nothing can be printed.
process.stdout.on('error', () => process.exit(1));
const code = await runCommand(process.argv.slice(2), async () => {
  const { takeTemporaryDirectory } = await import('../life/database/temporary-directory.ts');
  takeTemporaryDirectory();
  const { endWithStarter } = await import('../base/process/end-with-starter.ts');
  endWithStarter(process.env);
});
// A pipe takes a long document in pieces; what has not left by the exit would be lost.
process.stdout.write('', () => process.exit(code));
