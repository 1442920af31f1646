/** Protects the prices of a list: each is the one that its rounds were made of, its interval is that over the rounds, and what does not add up has none. */
import { expect, test } from 'vitest';
import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import {
  type PriceCell,
  type PriceCellFacts,
  type PriceRound,
  pricesHeadline,
} from '../../../shared/kinds/prices/prices.ts';
import { looked, roundsOf } from '../../testing/price-rounds.ts';
import { prices } from './kind.ts';
import { cellsOf, handshakeCells } from './price-cells.ts';
import { listColumns, listPrices } from './price-list.ts';

const itemIn = (rounds: PriceRound[], id: string) =>
  listPrices({ cells: looked }, rounds).items.find((item) => item.id === id);

test.each([
  ['request', 24, 42],
  ['body_64000', 12.6, 25.2],
  ['per_16_kb', 3.2768, 6.5536],
  ['connection', 30, 640],
  ['resumed_connection', 30, 210],
  ['stream', 24, 51],
])('%s has the price that the rounds were made of', (id, baseline, comparison) => {
  const item = itemIn(roundsOf(), id);
  for (const [found, expected] of [
    [item?.baseline, baseline],
    [item?.comparison, comparison],
    [item?.difference, comparison - baseline],
  ] as const) {
    if (found == null) throw new Error(`${id} has no price`);
    // One interval in twenty excludes the truth.
    expect(Math.abs(found.center - expected)).toBeLessThan(found.hi - found.lo);
    expect(found.hi - found.lo).toBeLessThan(expected / 5);
  }
  expect(item?.loadShare).toBeUndefined();
  expect(item?.missing).toBeNull();
});

test('the control costs the same as the side that it repeats', () => {
  const { control } = listPrices({ cells: looked }, roundsOf());
  expect(control && excludes(control, 0)).toBe(false);
});

test('the bytes of a request, another record, and a connection', () => {
  const bytes = Object.fromEntries(
    listPrices({ cells: looked }, roundsOf()).items.flatMap(({ id, unit, difference }) =>
      unit === 'bytes' ? [[id, difference?.center]] : [],
    ),
  );
  expect(bytes).toEqual({
    ...{ request_bytes: 22, record_bytes: 22, connection_bytes: 0, resumed_bytes: 0, stream_bytes: 0 },
  });
});

test('new connections that the generator cannot fill have the slope of their own load, and its share', () => {
  const isNew = ({ requestsPerConnection }: PriceCell) => requestsPerConnection !== null;
  const rounds = roundsOf({
    busyOf: (cell) => (isNew(cell) ? 0.5 : 1),
    addedUs: (cell) => (isNew(cell) ? 5 : 0),
  });
  const item = itemIn(rounds, 'connection');
  expect(item?.comparison && excludes(item.comparison, 640)).toBe(false);
  expect(item?.loadShare).toBeCloseTo(0.5, 1);
  expect(itemIn(rounds, 'request')?.comparison?.center).toBeCloseTo(42, 0);
});

test('a request on an open connection is free of the connections that the server makes necessary', () => {
  const item = itemIn(roundsOf({ closesAfter: 100 }), 'request');
  // A hundredth of 640 µs is 6.4 µs.
  expect(item?.comparison?.center).toBeCloseTo(42, 0);
  expect(item?.baseline?.center).toBeCloseTo(24, 0);
});

test('a server that resumes no session has no price of one, and the list says why', () => {
  const problem = 'The server resumed 0 of 120 sessions.';
  const full = looked.map((cell) => (cell.resumed ? { ...cell, problem } : cell));
  const { items } = listPrices({ cells: full }, roundsOf());
  expect(items.find(({ id }) => id === 'resumed_connection')).toMatchObject({
    comparison: null,
    missing: problem,
  });
  expect(items.find(({ id }) => id === 'connection')?.comparison?.center).toBeCloseTo(640, -2);
});

test('costs that do not add up have no price', () => {
  const rounds = roundsOf({
    addedUs: ({ requestsPerConnection }) => (requestsPerConnection === 5 ? 100 : 0),
  });
  const item = itemIn(rounds, 'connection');
  expect(item?.comparison).toBeNull();
  expect(item?.missing).toMatch(/misses .* at \d+ requests per connection by \d+ %/);
});

test('sizes off a line keep their rows and have no slope', () => {
  const rounds = roundsOf({ addedUs: ({ bytes }) => (bytes === 256_000 ? 200 : 0) });
  expect(itemIn(rounds, 'body_256000')?.baseline?.center).toBeGreaterThan(240);
  expect(itemIn(rounds, 'per_16_kb')).toMatchObject({
    baseline: null,
    missing: expect.stringMatching(/rows of the sizes/),
  });
});

test('a size that one side does not serve is missing with its reason', () => {
  const short = looked.map((cell) =>
    cell.id === 'comparison 64000 kept'
      ? { ...cell, problem: 'The response has 10 bytes instead of 64000.' }
      : cell,
  );
  const { items } = listPrices({ cells: short }, roundsOf());
  expect(items.find(({ id }) => id === 'body_64000')).toMatchObject({
    comparison: null,
    difference: null,
    missing: 'The response has 10 bytes instead of 64000.',
  });
});

test('two rounds have no interval, and so no prices', () => {
  expect(listPrices({ cells: looked }, roundsOf().slice(0, 2))).toEqual({ items: [], control: null });
});

test('without a document, an own server has no prices of sizes, and the list says what would give them', () => {
  const own = { target: { kind: 'origins' } as never, document: null };
  const page = cellsOf(own, { hasStream: false }).map(
    (cell): PriceCellFacts => ({
      ...cell,
      bytesRead: 1,
      bytesWritten: 1,
      connectionsPerRequest: 1,
      problem: null,
    }),
  );
  const rounds = Array.from({ length: 3 }, (_, round) => ({
    round,
    cells: page.map(({ id, requestsPerConnection }) => ({
      ...{
        id,
        requests: 1000,
        connections: requestsPerConnection === null ? 0 : 1000 / requestsPerConnection,
      },
      ...{
        cpuUs: 24_000 + (requestsPerConnection === null ? 0 : 30_000 / requestsPerConnection),
        elapsedUs: 24_000,
      },
    })),
  }));
  const { items } = listPrices({ cells: page }, rounds);
  expect(items.find(({ id }) => id === 'body')?.missing).toMatch(/--document/);
  expect(items.find(({ id }) => id === 'request')?.baseline?.center).toBe(24);
  expect(items.find(({ id }) => id === 'request_bytes')?.title).toMatch(/including its page/);
});

const ladder = (side: 'baseline' | 'comparison', each: number) => ({
  ...{ side, closedBytes: 0, problem: null },
  steps: [0, 250, 500, 1000, 2000].map((connections) => ({ connections, bytes: 5e6 + each * connections })),
});

test('the title has the memory of several processes, not of the one that was running already', () => {
  const target = { kind: 'origins', http: 'http://127.0.0.1', https: 'https://127.0.0.1' };
  const of = [ladder('baseline', 1000), ladder('comparison', 16_000)];
  const again = [ladder('baseline', 1200), ladder('comparison', 17_000)];
  const titles = [of, [...of, ...again]].map((memory) => {
    const listed = listPrices({ cells: looked, memory }, roundsOf());
    return pricesHeadline({ ...listed, server: null, request: { target } as never })?.title;
  });
  expect(titles).toEqual([expect.not.stringMatching(/memory/), expect.stringMatching(/15 kB of memory/)]);
});

test('memory is the slope over the connections, and its interval the range of the processes', () => {
  const memory = [
    ladder('baseline', 1000),
    ladder('comparison', 16_000),
    ladder('baseline', 1200),
    ladder('comparison', 17_000),
  ];
  const { items } = listPrices({ cells: looked, memory }, roundsOf());
  const item = items.find(({ id }) => id === 'memory');
  expect(item?.comparison).toEqual({ center: 16_500, lo: 16_000, hi: 17_000 });
  expect(item?.difference?.center).toBeCloseTo(15_400);
});

test('a list whose server was not busy names the share of full load', () => {
  const { items } = listPrices({ cells: looked }, roundsOf({ busyOf: () => 0.4 }));
  expect(items.find(({ id }) => id === 'request')?.loadShare).toBeCloseTo(0.4, 1);
});

test.each([
  [{ kind: 'storefront' }, 'target'],
  [
    { kind: 'origins', http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2', twin: 'http://127.0.0.1:3' },
    'target.twin',
  ],
])('a target that cannot have a list is refused at its field', async (target, field) => {
  const request = prices.requestSchema.parse({ kind: 'prices', target });
  await expect(prices.prepare(request, {}, {} as never)).rejects.toMatchObject({
    problem: { errors: [{ field }] },
  });
});

test('a server that speaks no HTTP/2 has no price of a stream, and the list says why', () => {
  const problem = 'The server does not speak HTTP/2.';
  const mute = looked.map((cell) => (cell.arm === 'stream' ? { ...cell, problem } : cell));
  const { items } = listPrices({ cells: mute }, roundsOf());
  expect(items.find(({ id }) => id === 'stream')).toMatchObject({ comparison: null, missing: problem });
  expect(items.find(({ id }) => id === 'stream_bytes')).toBeUndefined();
});

test('connections by key have the price that their rounds were made of, and a missing key has its reason', () => {
  const ids = new Set(
    handshakeCells({ target: { kind: 'managed', server: 'nginx' } as never, document: null }).map(
      ({ id }) => id,
    ),
  );
  const rounds = roundsOf().map(({ round, cells: sums }) => ({
    round,
    cells: sums.filter(({ id }) => ids.has(id)),
  }));
  const of = { column: 'key', problem: null, cells: looked.filter(({ id }) => ids.has(id)), rounds } as const;
  const problem = 'nginx cannot use a key of ML-DSA-65.';
  const [rsa, mldsa] = listColumns([
    { ...of, value: 'RSA-2048' },
    { ...of, value: 'ML-DSA-65', problem, cells: [], rounds: [] },
  ]);
  expect(rsa).toMatchObject({ value: 'RSA-2048', missing: null });
  expect(rsa?.full?.center).toBeCloseTo(640, -2);
  expect(rsa?.resumed?.center).toBeCloseTo(210, -2);
  expect(mldsa).toEqual({ column: 'key', value: 'ML-DSA-65', full: null, resumed: null, missing: problem });
});
