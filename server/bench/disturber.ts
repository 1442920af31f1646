import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Busy loops on this machine, in children of this process. They end with it, however it ends. */
export async function startDisturbers(loops: number): Promise<{ stop(): Promise<void> }> {
  const children = Array.from({ length: loops }, (): ChildProcess => fork(import.meta.filename));
  const ended = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child, 'spawn')));
  return {
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit());
  for (;;) {
    const until = performance.now() + 20;
    while (performance.now() < until);
    await pause(0);
  }
}
