import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** Spends a moment on each request. */
const hashing = `
const { createHash } = require('node:crypto');
const hashed = Buffer.alloc(400_000);
require('node:http').createServer((_, response) => response.end(createHash('sha1').update(hashed).digest('hex')))
  .listen(process.argv[1], '127.0.0.1')`;

/** Starts an application that is not a child of this process, so that it is not taken for one of ours. Returns its port. */
export async function startForeignApplication(): Promise<number> {
  const port = await freePort();
  const program = [process.execPath, '-e', hashing, `${port}`];
  const shell = spawn('sh', ['-c', '"$@" > /dev/null 2>&1 & echo $!', 'sh', ...program]);
  const [pid] = await once(shell.stdout, 'data');
  onTestFinished(() => void process.kill(Number(String(pid)), 'SIGKILL'));
  await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => null)).not.toBeNull();
  return port;
}
