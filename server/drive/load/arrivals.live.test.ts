/** Protects arrivals from coming in bursts, and those that were given up from vanishing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { median } from '../../method/statistics/intervals.ts';
import { Arrivals } from './lane-count.ts';
import { Metronome } from './metronome.ts';

/** Arrivals reach a target evenly: in bursts they would queue behind each other, and that would be in the latency. */

test('at 5,000 a second arrivals are released one by one, none before it is due', async () => {
  const metronome = await Metronome.start();
  const fromMs = performance.now();
  const released = new Map<number, number>();
  const arrivals = await new Promise<Arrivals>((resolve) => {
    const all = new Arrivals(
      { ratePerS: 5000, rampMs: 0, fromMs, toMs: fromMs + 1000, share: { index: 0, of: 1 } },
      {
        release(dueAtMs, nowMs) {
          expect(nowMs).toBeGreaterThanOrEqual(dueAtMs);
          released.set(nowMs, (released.get(nowMs) ?? 0) + 1);
          return true;
        },
        finished: () => resolve(all),
      },
      metronome,
    );
    all.start();
  });
  expect(arrivals.due).toBe(5000);
  // A timer that fires every millisecond has 5 to release. Where the machine took this process off its core there are
  // more at once, whatever paces them: so the median, of releases.
  expect(median([...released.values()])).toBeLessThan(3);
});

test('a metronome that plays does not keep its process alive', async () => {
  const script = `
    import('${new URL('./metronome.ts', import.meta.url)}').then(async ({ Metronome }) => {
      const metronome = await Metronome.start();
      const fromMs = performance.now();
      const share = { index: 0, of: 1 };
      metronome.play({ ratePerS: 0.1, rampMs: 0, fromMs, toMs: fromMs + 3_600_000, share }, () => {});
    });
  `;
  await promisify(execFile)(process.execPath, ['--eval', script]);
});
