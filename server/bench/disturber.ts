import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Disturbance } from './disturber-process.ts';

type Disturber = { stop(): Promise<void> };

const script = new URL('./disturber-process.ts', import.meta.url);

/** Other work on this machine, in children of this process. They end with it, whatever becomes of it. */
export async function startDisturbers(disturbances: readonly Disturbance[]): Promise<Disturber> {
  const children = disturbances.map((disturbance) => fork(script, [disturbance], { stdio: 'inherit' }));
  const ended = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child, 'spawn')));
  return {
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
