import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** One disturbance, until the process that started it ends or ends it. */

export type Disturbance = 'loop' | 'bursts' | 'forks';

/** What a build does: programs that start, compute for a moment and end. */
const compiler = ['-e', 'const until = Date.now() + 40; while (Date.now() < until);'];
const compilersAtOnce = 3;

const disturbances: Record<Disturbance, () => Promise<void>> = {
  loop: async () => {
    for (;;) {
      spin(20);
      await pause(0);
    }
  },
  bursts: async () => {
    for (;;) {
      spin(50);
      await pause(150);
    }
  },
  forks: async () => {
    await Promise.all(
      Array.from({ length: compilersAtOnce }, async () => {
        for (;;) await once(spawn(process.execPath, compiler, { stdio: 'ignore' }), 'exit');
      }),
    );
  },
};

process.on('disconnect', () => process.exit());
await disturbances[process.argv[2] as Disturbance]();

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
