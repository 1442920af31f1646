import { setTimeout as pause } from 'node:timers/promises';

/** One disturbance, until the process that started it ends or ends it. */

export type Disturbance = 'loop' | 'bursts';

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
};

process.on('disconnect', () => process.exit());
await disturbances[process.argv[2] as Disturbance]();

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
