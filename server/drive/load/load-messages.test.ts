/** Protects the rate of another host from timers that are early and from answers that are late. */
import { expect, test } from 'vitest';
import { capsSchema } from '../../../shared/target/target.ts';
import { LoadBudget } from './load-messages.ts';

test.each([1, 43, 700, 999, 30_000])(
  'at %i per second request i is sent no earlier than i/rate, but for 1 ms, however late others were',
  (perS) => {
    const budget = new LoadBudget('shop.test', capsSchema.parse({ requestsPerS: perS }), { index: 0, of: 1 });
    let nowMs = 1000.4;
    for (let index = 0; index < 500; index++) {
      const waitMs = budget.take(nowMs);
      expect(Number.isInteger(waitMs)).toBe(true);
      nowMs += waitMs;
      expect(nowMs).toBeGreaterThanOrEqual(1000.4 + (index * 1000) / perS - 1);
      // Answers take from nothing to 17 ms.
      nowMs += (index * 7) % 18;
    }
  },
);
