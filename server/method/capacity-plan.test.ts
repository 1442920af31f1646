/** Protects the costs that the capacity planner takes from a run. */

import { describe, expect, test } from 'vitest';
import { exactly } from '../../shared/base/estimate-arithmetic.ts';
import { sidesOfPair, type TransportPair } from '../../shared/base/transport.ts';
import {
  type CapacityLoad,
  capacityLoadSchema,
  pricesSchema,
} from '../../shared/kinds/comparison/capacity.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedRow } from '../../shared/kinds/speed/speed.ts';
import { type Cost, type CostSource, demandOf, firstOf, typicalCosts } from './capacity-bill.ts';
import {
  billOfPlan,
  costsOfRun,
  costsOfSpeed,
  headlineOfPlan,
  ownCosts,
  planCapacity,
} from './capacity-plan.ts';

const baseline = { center: 900, lo: 840, hi: 960 };

test('a request is a transaction over HTTP by its steps', () => {
  expect(costsOfRun(run('overhead')).request()?.value).toEqual({ center: 300, lo: 280, hi: 320 });
});

test('a figure that the run refuses, or one of an encrypted side, is none', () => {
  expect(costsOfRun(run('refused')).request()).toBeNull();
  expect(costsOfRun(run('overhead', ['https', 'h2'])).request()).toBeNull();
});

function run(outcome: string, transports: TransportPair = ['http', 'https']): RunDocument {
  return {
    metrics: [{ id: 'cpu_at_load', baseline, outcome }],
    scenario: { steps: [1, 2, 3] },
    sides: sidesOfPair(transports),
  } as unknown as RunDocument;
}

/** Protects the bill of a plan: the interval of its difference, bytes of records and handshakes, and what was not measured. */

const prices = pricesSchema.parse({ vcpuHour: 0.05, egressGb: 0.1 });

describe('the bill of a plan', () => {
  const load = capacityLoadSchema.parse({
    ...{ visitsPerS: 100, requestsPerVisit: 10, pageBytes: 20_000, returningShare: 0.6 },
    ...{ connectionsPerVisit: 2, key: 'RSA-2048', group: 'X25519', utilisation: 0.5 },
  });
  const cost = (us: number) => ({ value: exactly(us), source: 'measured' as const, from: 'a test' });
  const plan = planCapacity(load, {
    request: () => ({ ...cost(500), value: { center: 500, lo: 400, hi: 600 } }),
    connection: () => cost(50),
    full: () => cost(500),
    resumed: () => cost(100),
    byte: () => cost(0.001),
    signs: () => null,
  });

  test('requests are on both sides, so their interval is not that of the difference', () => {
    const { rows } = billOfPlan(plan, null, prices);
    const [first] = rows;
    // 80 × 500 µs + 120 × 100 µs + 20 MB × 1 ns, at half of a core.
    expect(first).toMatchObject({ id: 'requests', added: near(exactly(0.072 / 0.5)) });
    expect(first?.baseline).toEqual(near({ center: 1.02, lo: 0.82, hi: 1.22 }));
  });

  test('records and handshakes are sent too; those of a grid that lacks them are not measured', () => {
    const row = (grid: HandshakesDocument | null, id: string) =>
      billOfPlan(plan, grid, prices).rows.find((each) => each.id === id);
    // 1,000 responses of 20,000 bytes: two records of 22 bytes more each.
    expect(row(null, 'responses')?.added).toEqual(near(exactly(44_000 * 0.002628)));
    expect(row(null, 'handshakeBytes')?.added).toBeNull();
    expect(row(gridOf(['full', 3000]), 'handshakeBytes')?.added).toBeNull();
    // 80 full and 120 resumed a second.
    const grid = gridOf(['full', 3000], ['resumed', 500]);
    expect(row(grid, 'handshakeBytes')?.comparison).toEqual(
      near(exactly((80 * 3000 + 120 * 500) * 0.002628)),
    );
  });
});

function near({ center, lo, hi }: { center: number; lo: number; hi: number }) {
  return { center: expect.closeTo(center), lo: expect.closeTo(lo), hi: expect.closeTo(hi) };
}

function gridOf(...cells: [resumption: string, bytes: number][]): HandshakesDocument {
  return {
    cells: cells.map(([resumption, serverToClient]) => ({
      status: 'measured',
      cell: { version: 'TLSv1.3', key: 'RSA-2048', group: 'X25519', resumption },
      wire: { withTicketsBytes: { serverToClient } },
    })),
  } as unknown as HandshakesDocument;
}

/** Protects the capacity plan: connections, cores, intervals, and what would save most. */

const load: CapacityLoad = capacityLoadSchema.parse({
  visitsPerS: 100,
  requestsPerVisit: 10,
  pageBytes: 20_000,
  returningShare: 0.6,
  connectionsPerVisit: 2,
  key: 'RSA-2048',
  group: 'X25519',
  utilisation: 0.5,
});

const measured = (value: Cost['value']): Cost => ({ value, source: 'measured', from: 'a test' });

/** A machine on which everything is a round number. */
const round: CostSource = {
  request: () => measured({ center: 500, lo: 400, hi: 600 }),
  connection: () => measured(exactly(50)),
  full: (key) => measured(exactly(key === 'P-256' ? 200 : 500)),
  resumed: () => measured(exactly(100)),
  byte: () => measured(exactly(0.001)),
  signs: () => measured(exactly(4000)),
};

describe('demand', () => {
  test('with keep-alive a new visitor’s connections are all full, a returning one’s all resumed', () => {
    expect(demandOf(load)).toEqual({ request: 1000, connection: 200, full: 80, resumed: 120, byte: 2e7 });
  });

  test('without it every request connects, and only the first of a new visitor is full', () => {
    expect(demandOf({ ...load, keepAlive: false })).toMatchObject({
      connection: 1000,
      full: 40,
      resumed: 960,
    });
  });

  test('where no session is resumed every connection is full', () => {
    expect(demandOf({ ...load, resumption: false })).toMatchObject({ full: 200, resumed: 0 });
  });

  test('a visit never opens more connections than it has requests', () => {
    expect(demandOf({ ...load, requestsPerVisit: 1 })).toMatchObject({ request: 100, connection: 100 });
  });
});

describe('capacity', () => {
  const report = planCapacity(load, round);

  test('cores are what is busy, divided by the ceiling', () => {
    // 1,000 × 500 µs + 200 × 50 µs; and 80 × 500 µs + 120 × 100 µs + 20 MB × 1 ns.
    expect(report.coresWithout.center).toBeCloseTo(0.51 / 0.5);
    expect(report.coresWith.center).toBeCloseTo((0.51 + 0.04 + 0.012 + 0.02) / 0.5);
    expect(headlineOfPlan(report, { rows: [] })).toEqual({
      title: 'At 1,000 requests/s, HTTPS needs 0.14 cores more',
      second: '+14 % (1.02 → 1.16 cores)',
      third:
        'At 50 % CPU utilization: 95 % CI 0.82 to 1.22 cores without TLS, 0.964 to 1.36 with it. In whole cores, 2 and 2.',
    });
  });

  test('an interval of a figure is carried through, scaled by how often it is needed', () => {
    expect(report.coresWith.hi - report.coresWith.center).toBeCloseTo(0.1 / 0.5);
  });

  test('every step is shown with its numbers', () => {
    expect(report.formulas).toContainEqual({
      title: 'Full handshakes per second',
      formula: '100 visits/s × (1 − 0.6) new × 2 connections = 80/s',
    });
    expect(report.formulas.at(-1)).toEqual({
      title: 'Cores with TLS',
      formula: '(0.5 + 0.01 + 0.04 + 0.012 + 0.02) ÷ 0.5 = 1.16 cores',
    });
  });

  test('changes are ranked by what they save, and what no change touches has no part in their intervals', () => {
    expect(report.changes.map(({ title }) => title)).toEqual([
      'Use one connection per visit, as with HTTP/2',
      'Use a P-256 certificate',
    ]);
    const saved = { center: expect.closeTo(0.062), lo: expect.closeTo(0.062), hi: expect.closeTo(0.062) };
    expect(report.changes[0]?.saves).toEqual(saved);
    expect(report.changes[1]?.saves.center).toBeCloseTo((80 * 300) / 1e6 / 0.5);
  });

  test('signatures cap connections, and the old rule is held against the figures', () => {
    expect(report.bound).toContain('4,000 signatures per second with RSA-2048');
    expect(report.crossCheck).toBe(
      'Cross-check: one core makes 2,000 full handshakes per second, 50 % of its signatures with RSA-2048. That matches the rule of thumb, 45 to 60 %.',
    );
    const cheap = planCapacity(load, { ...round, signs: () => measured(exactly(40_000)) });
    expect(cheap.crossCheck).toContain('signing is so cheap here');
    const wrong = planCapacity(load, { ...round, signs: () => measured(exactly(1500)) });
    expect(wrong.crossCheck).toContain('That is impossible');
  });

  test('what limits is named', () => {
    expect(report.limit).toMatch(
      /^Application requests take the most CPU: 86 %\. The largest TLS cost is full handshakes/,
    );
    const free = planCapacity(load, { ...round, request: () => measured(exactly(0)) });
    expect(free.limit).toMatch(/^Full handshakes take the most CPU/);
  });

  test('a change that nobody has measured says that it is a guess', () => {
    const onlyRsa = firstOf([
      { ...round, full: (key) => (key === 'RSA-2048' ? round.full(key, 'X25519') : null) },
      typicalCosts('TLSv1.3'),
    ]);
    const [change] = planCapacity(load, onlyRsa).changes.filter(({ title }) => title.includes('P-256'));
    expect(change?.note).toContain('typical figure');
  });
});

describe('figures', () => {
  test('of a speed table: a signature, the server’s part of the group, and the protocol around them', () => {
    const rows = [
      rate('RSA-2048/sign', 4000),
      rate('X25519MLKEM768/server', 10_000),
      rate('X25519/agree', 20_000),
    ];
    const costs = costsOfSpeed({ rows }, 'TLSv1.3');
    expect(costs.full('RSA-2048', 'X25519MLKEM768')?.value.center).toBeCloseTo(250 + 100 + 100);
    expect(costs.full('RSA-2048', 'X25519')).toBeNull();
    expect(costs.resumed('X25519MLKEM768')?.source).toBe('measured in part');
    // A resumed handshake of TLS 1.2 uses no primitive of a speed table.
    expect(costsOfSpeed({ rows }, 'TLSv1.2').resumed('X25519MLKEM768')).toBeNull();
    expect(costs.signs('RSA-2048')?.value).toEqual(exactly(4000));
  });

  test('that were pasted are those of the load’s key and group alone', () => {
    const costs = firstOf([ownCosts({ fullUs: exactly(321) }, load), typicalCosts('TLSv1.3')]);
    expect(costs.full('RSA-2048', 'X25519')).toMatchObject({ value: exactly(321), source: 'pasted' });
    expect(costs.full('P-256', 'X25519')?.source).toBe('typical');
  });

  test('that nobody gave are typical, and it is said', () => {
    const { notes, figures } = planCapacity(load, firstOf([{}, typicalCosts('TLSv1.3')]));
    expect(figures.every(({ source }) => source === 'typical')).toBe(true);
    expect(notes[0]).toMatch(/^5 of 6 figures are typical values/);
  });
});

function rate(id: string, perS: number): SpeedRow {
  const [primitive = '', operation] = id.split('/');
  return {
    id,
    primitive,
    group: 'signature',
    operation: operation as SpeedRow['operation'],
    bytes: null,
    operationsPerS: exactly(perS),
    bytesPerS: null,
    openssl: { status: 'missing', reason: '' },
    sumOf: null,
    explanation: null,
  };
}
