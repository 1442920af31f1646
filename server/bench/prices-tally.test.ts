/** Protects what the bench of price lists counts: bills that come true, prices that repeat, and noise that is none. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/base/units.ts';
import type { PriceItem } from '../../shared/kinds/prices/prices.ts';
import type { Predicted } from '../kinds/prices/price-predictions.ts';
import { printProof, tallyServer } from './prices-tally.ts';

const around = (center: number, reach = 0.01): Estimate => ({
  center,
  lo: center - reach,
  hi: center + reach,
});

const costs = (http: number, https: number) => ({
  ...{ baseline: around(http), comparison: around(https), difference: around(https - http) },
});

/** @param off share by which the scaled difference is off */
function predicted(off: number): Predicted {
  return {
    ...{ bytes: 4000, requestsPerConnection: 5, returningShare: 0.5 },
    ...{ measured: costs(50, 150), listed: costs(25, 75), scaled: costs(50, 150 + 100 * off) },
    ...{ slowness: 2, agrees: true },
  };
}

const item = (id: string, http: number, https: number, reach = 1): PriceItem => ({
  ...{ id, title: id, unit: 'us', missing: null },
  ...{ baseline: around(http, reach), comparison: around(https, reach) },
  difference: around(https - http, reach),
});

const halves = [
  [item('request', 20, 40), item('connection', 30, 600)],
  // A machine half as fast, on which a connection over HTTPS got cheaper.
  [item('request', 40, 80), item('connection', 60, 1100)],
];

const proven = {
  ...{ server: 'nginx', halves, memory: null },
  control: [item('request', 20, 20.5), item('connection', 30, 35)],
  proofs: [
    ...[0, 0.12, 0.3].map((off) => ({ traffic: 'x', found: predicted(off) })),
    { traffic: 'y', found: 'It needs a price of y.' },
  ],
};

test('bills are counted scaled and as listed, apart from those that the list could not price', () => {
  expect(tallyServer(proven)).toMatchObject({
    ...{ runs: 3, leftOut: 1, cpu: 2, difference: 2 },
    ...{ cpuAsListed: 0, differenceAsListed: 0 },
  });
});

test('prices repeat if they do at the speed of the machine, and HTTP beside HTTP holds no difference', () => {
  expect(tallyServer(proven)).toMatchObject({ same: 2, items: 3, holding: 1, controls: 2 });
});

test('the table has every server, their sum, and the memory', () => {
  const memory = [{ bench: 'prices' as const, memory: 'touched', bytes: [32_768, 33_096], touched: 32_768 }];
  const text = printProof([proven], [tallyServer(proven)], memory);
  expect(text).toMatch(/^nginx, y: It needs a price of y\.$/m);
  expect(text).toMatch(/nginx +4 kB, 5 requests per connection, 50 % resumed/);
  expect(text).toMatch(/all +2 of 3 +2 of 3 +0, 0 +1 +2 of 3, 67 %.*1 of 2/);
  expect(text).toMatch(/32\.77, 33\.10 +32\.77 +\+0\.0 %, \+1\.0 %/);
});
