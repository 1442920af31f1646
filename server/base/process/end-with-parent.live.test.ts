/** Protects the machine from processes that nobody waits for: one that is busy ends with its parent all the same. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = new URL('./children.ts', import.meta.url).href;
/** Busy for ever: it hears of no event. */
const busy = `import { endWithParent } from '${module}'; endWithParent(); console.log(process.pid); for (;;);`;
const parent = `import { spawn } from 'node:child_process';
  spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(busy)}], { stdio: 'inherit' });
  setInterval(() => {}, 1000);`;

test('a process that is kept busy ends when its parent is killed', async () => {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(child.stdout, 'data');
  const pid = Number(printed);
  try {
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  } finally {
    child.kill('SIGKILL');
    if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  }
});
