/** Protects what is said of each host: it counts on over a loss, and names the one that had no more to give. */
import { expect, test } from 'vitest';
import { HostTally } from './take-generator-hosts.ts';

const burst = { elapsedUs: 50_000, windowUs: 40_000, started: 9, succeeded: 9, transactionsInWindow: 8 };

test('requests and CPU count on when its processes begin anew', () => {
  const tally = new HostTally();
  tally.begin();
  tally.noteTotals(0, { requests: 100, cpuUs: 10 });
  tally.noteTotals(0, { requests: 150, cpuUs: 20 });
  tally.noteTotals(1, { requests: 50, cpuUs: 5 });
  tally.begin();
  tally.noteTotals(0, { requests: 7, cpuUs: 1 });
  expect(tally.describe()).toMatchObject({ requests: 207, cpuUs: 26 });
});

test.each([
  ['idle and in time', { cpuUs: 10_000, lateUs: 100 }, false],
  ['busy', { cpuUs: 45_000, lateUs: 100 }, true],
  ['given too little', { cpuUs: 5000, lateUs: 60_000 }, true],
  ['given a tenth of a core', { cpuUs: 5000, lateUs: 100, heldUpUs: 40_000 }, true],
  ['held up now and then', { cpuUs: 5000, lateUs: 100, heldUpUs: 30_000 }, false],
])('a host that is %s', (_, part, limited) => {
  const tally = new HostTally();
  tally.noteBurst(0, { ...burst, cpuUs: 1000, lateUs: 50 });
  for (let each = 0; each < 3; each++) tally.noteBurst(1, { ...burst, ...part });
  expect(tally.describe()).toMatchObject({ limited, busiestShare: part.cpuUs / burst.elapsedUs });
});
