import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts the program that its arguments name, tells its parent the pid, and ends it when the parent disconnects or dies, however that
 * happens. The program is in a process group of its own, so Ctrl+C leaves its end to the parent.
 */

const [name = '', ...args] = process.argv.slice(2);
const program = spawn(name, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
process.on('SIGINT', () => {});
process.on('disconnect', () => program.kill('SIGTERM'));
await once(program, 'spawn');
process.send?.({ pid: program.pid });
const [code] = await once(program, 'exit');
process.exit(code ?? 0);
