/** Protects what the bench of sides counts: false alarms of sides against themselves, and answers that meet what is known. */

import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/base/units.ts';
import {
  type Cell,
  cellsOf,
  inRounds,
  isNull,
  type Observed,
  type Reference,
  type SideSeen,
} from './sides-cells.ts';
import { printSides, tallyNulls, tallyQuestions } from './sides-tally.ts';

const around = (center: number, half: number): Estimate => ({ center, lo: center - half, hi: center + half });

const seen: SideSeen = {
  ...{ version: 'TLSv1.3', group: 'X25519', key: 'P-256', resumed: false, clientCertificates: false },
  connections: 1200,
};

function observed(deltaUs: Estimate, change: Partial<Observed> = {}): Observed {
  const isClaim = deltaUs.lo > 0 || deltaUs.hi < 0;
  return {
    ...{ seconds: 18, state: 'finished', outcome: isClaim ? 'overhead' : 'no_overhead' },
    claims: isClaim ? ['cpu_at_load'] : [],
    ...{ deltaUs, ratio: around(1 + deltaUs.center / 100, (deltaUs.hi - deltaUs.center) / 100) },
    ...{ library: 'OpenSSL 3.0.19 27 Jan 2026', sides: [seen, seen], said: '' },
    ...change,
  };
}

const cells = cellsOf(['nginx', 'go', 'node']);
const cellOf = (asks: Cell['asks'], place: Cell['place']) =>
  cells.find((cell) => cell.asks === asks && cell.place === place) as Cell;

const reference: Reference = {
  lab: {
    'TLSv1.3/X25519/P-256/full': around(200, 5),
    'TLSv1.3/X25519MLKEM768/P-256/full': around(231, 5),
  },
  openssl: { 'ECDSA-P-256/sign': 25, 'ECDSA-P-256/verify': 70, 'RSA-2048/sign': 600 },
};

test('every server is asked about itself, and every question where it can be answered', () => {
  expect(cells.filter(isNull).map(({ asks, place }) => `${asks}, ${place}`)).toEqual([
    'same group, storefront',
    ...['same group, nginx', 'same certificate, nginx'],
    ...['same group, go', 'same certificate, go'],
    ...['same group, node', 'same certificate, node'],
  ]);
  expect(cellOf('kernel-tls', 'go')).toBeUndefined();
  expect(cellOf('server', 'node').request.sides?.comparison?.target).toEqual({ server: 'nginx' });
  const order = inRounds(cells, { nulls: 3, questions: 1 }).map(({ key }) => key);
  expect(new Set(order).size).toBe(order.length);
  expect(order.at(-1)).toMatch(/^same certificate, node, 2$/);
});

test('runs that claim a difference are counted against five in a hundred', () => {
  const cell = cellOf('same group', 'nginx');
  const of = (alarms: number) =>
    tallyNulls([
      { cell, runs: Array.from({ length: 100 }, (_, run) => observed(around(run < alarms ? 9 : 0, 3))) },
    ]);
  expect(of(5).at(-1)).toMatchObject({ place: 'all', runs: 100, claiming: 5, holding: 95, lost: 0 });
  expect(printSides(of(5), [])).toMatch(/^all .* ≤ 5: held/m);
  expect(printSides(of(6), [])).toMatch(/^all .* ≤ 5: missed/m);
  const lost = observed(around(0, 3), { state: 'refused', ratio: null });
  expect(tallyNulls([{ cell, runs: [lost] }])[0]).toMatchObject({ runs: 0, lost: 1 });
});

test('Node is held against the lab, a server of the system’s OpenSSL against its primitives, Go by direction', () => {
  const hybrid: SideSeen = { ...seen, group: 'X25519MLKEM768' };
  const rsa: SideSeen = { ...seen, key: 'RSA-2048' };
  const rows = tallyQuestions(
    [
      {
        cell: cellOf('post-quantum', 'node'),
        runs: [
          observed(around(28, 4), { sides: [seen, hybrid] }),
          observed(around(60, 4), { sides: [seen, hybrid] }),
        ],
      },
      { cell: cellOf('key', 'nginx'), runs: [observed(around(580, 20), { sides: [seen, rsa] })] },
      {
        cell: cellOf('post-quantum', 'go'),
        runs: [observed(around(40, 9), { sides: [seen, hybrid], library: 'crypto/tls of Go 1.26.8' })],
      },
      { cell: cellOf('https', 'nginx'), runs: [observed(around(15, 2))] },
      {
        cell: cellOf('kernel-tls', 'nginx'),
        runs: [observed(around(0, 1), { deltaUs: null, said: 'no module' })],
      },
    ],
    reference,
    'OpenSSL 3.0.19',
  );
  expect(rows.map(({ expected }) => expected)).toEqual([
    { by: 'lab', us: { center: 31, lo: 21, hi: 41 } },
    { by: 'openssl speed', us: { center: 575, lo: 575, hi: 575 } },
    { by: 'direction', sign: 1 },
    null,
    null,
  ]);
  expect(rows.map(({ meets }) => meets)).toEqual([[true, false], [true], [true], null, null]);
  expect(rows.map(({ repeats }) => repeats)).toEqual([false, null, null, null, null]);
  expect(printSides([], rows)).toMatch(
    /post-quantum +node +\+28 µs \(24 to 32\); \+60 µs.*lab +yes, no +no +1200 and 1200/,
  );
  expect(printSides([], rows)).toContain('no module');
});
