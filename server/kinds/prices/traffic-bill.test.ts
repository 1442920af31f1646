/** Protects the bill of a traffic: each row is what the list's prices say, what is missing is named, and no verdict stands on prices that contradict a limit. */
import { expect, test } from 'vitest';
import { exactly } from '../../../shared/base/estimate-arithmetic.ts';
import { type TrafficRequestInput, trafficRequestSchema } from '../../../shared/kinds/prices/traffic.ts';
import { looked, roundsOf } from '../../testing/price-rounds.ts';
import { listPrices } from './price-list.ts';
import { billOfTraffic } from './traffic-bill.ts';

const rounds = roundsOf({ noise: 0 });
const memory = (['baseline', 'comparison'] as const).map((side) => ({
  ...{ side, closedBytes: 0, problem: null },
  steps: [0, 250, 500].map((connections) => ({
    connections,
    bytes: 5e6 + connections * (side === 'baseline' ? 1000 : 16_000),
  })),
}));

function bill(
  traffic: TrafficRequestInput['traffic'],
  { known = memory, key = 'EC P-256', protocol = 'TLSv1.3', signsPerS = null as number | null } = {},
) {
  const list = {
    ...{ cells: looked, rounds, command: 'npx tls-toll prices --target nginx' },
    items: listPrices({ cells: looked, memory: known }, rounds).items,
    negotiated: { protocol, key },
    environment: { cores: 4, memoryBytes: 8e9 },
  };
  const rows = ['RSA-2048/sign', 'ECDSA-P-256/sign'].map((id) => ({
    ...{ id, operationsPerS: exactly(signsPerS ?? 1) },
  }));
  const speed = signsPerS === null ? null : ({ rows } as never);
  const found = billOfTraffic(list as never, trafficRequestSchema.parse({ traffic }), speed);
  return { ...found, row: (id: string) => found.rows.find((row) => row.id === id) };
}

const usual = { requestsPerS: 10_000, sizes: '1 kB', requestsPerConnection: 10, returningShare: 0.5 };

test('cores are requests by their cost, at the utilization', () => {
  const { row, verdict } = bill({ ...usual, utilization: 0.5 });
  // HTTP: 24 + 30 ÷ 10; HTTPS: 42 + (640 + 210) ÷ 2 ÷ 10 µs.
  expect(row('cores')?.baseline?.center).toBeCloseTo((27 * 10_000) / 1e6 / 0.5);
  expect(row('cores')?.comparison?.center).toBeCloseTo((84.5 * 10_000) / 1e6 / 0.5);
  expect(row('compute')?.added?.center).toBeCloseTo(1.15 * 730 * 0.04048);
  expect(verdict).toMatch(
    /^At 10,000 requests per second, HTTPS needs 1\.15 more cores, 20\.0 ms more per new connection, and \$86(\.\d+)? more per month\.$/,
  );
});

test('bytes are those of bodies, headers, records, and new connections, both ways', () => {
  const { row } = bill({ ...usual, sizes: '16 kB', requestsPerConnection: 1e6, returningShare: 0 });
  // Headers are 240 bytes, records 22; a request has 100.
  expect(row('sent')?.baseline?.center).toBeCloseTo((10_000 * 16_240 * 8) / 1e6, 1);
  expect(row('sent')?.added?.center).toBeCloseTo((10_000 * 22 * 8) / 1e6, 1);
  expect(row('received')?.comparison?.center).toBeCloseTo(8, 1);
});

test('memory is the slope, and only of connections that are open', () => {
  expect(bill(usual).row('memory')).toBeUndefined();
  const { row, verdict } = bill({ ...usual, openConnections: 50_000 });
  expect(row('memory')?.comparison?.center).toBeCloseTo(0.8);
  expect(verdict).toContain('750 MB more memory');
});

test('TLS 1.2 takes two round trips more than TCP, and one if it resumes a session', () => {
  const of = (protocol: string) => bill({ ...usual, roundTripMs: 100, returningShare: 0.25 }, { protocol });
  expect(of('TLSv1.3').row('latency')).toMatchObject({ baseline: exactly(100), added: exactly(100) });
  expect(of('TLSv1.2').row('latency')?.added).toEqual(exactly(175));
});

test('without a price there is no money and no verdict, but what would give it', () => {
  const { missing, row, verdict } = bill({ ...usual, sizes: '5 MB', openConnections: 10 }, { known: [] });
  expect(verdict).toBe(
    'The list has no price of a body of 5 MB and the memory of an open connection, so there is no sum.',
  );
  expect(row('total')).toBeUndefined();
  expect(missing.map(({ remedy }) => remedy)).toContainEqual(expect.stringContaining('--memory'));
});

test('every limit that the traffic comes up against is named', () => {
  const few = bill({ ...usual, returningShare: 0 });
  expect(few.limits).toEqual([]);
  const many = bill({ ...usual, requestsPerS: 1e6, sizes: '64 kB', openConnections: 1e6 });
  expect(many.limits.map(({ name }) => name)).toEqual(['Cores', 'Memory', 'Network', 'Open files']);
  expect(many.limits[2]?.sentence).toContain('which needs a port of 800 Gbit/s');
});

test('a handshake that costs less than its signature leaves no verdict', () => {
  // A signature of 2 ms, beside a handshake of 610 µs.
  const { verdict, limits, row } = bill(usual, { key: 'RSA 2048', signsPerS: 500 });
  expect(limits).toMatchObject([{ name: 'Signatures', broken: true }]);
  expect(verdict).toMatch(/contradict/);
  expect(row('total')).toBeUndefined();
  const sound = bill(usual, { signsPerS: 20_000 });
  expect(sound.limits).toMatchObject([{ name: 'Signatures', broken: false }]);
  expect(sound.verdict).toMatch(/needs/);
});
