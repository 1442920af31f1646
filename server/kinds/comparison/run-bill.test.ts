/** Protects the bill of a run: its CPU and bytes for another load, and its handshakes where they are known. */

import { expect, test } from 'vitest';
import { exactly } from '../../../shared/base/estimate-arithmetic.ts';
import { billRequestSchema } from '../../../shared/kinds/comparison/bill.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';

import { billOfRun } from './run-bill.ts';

const cpu = {
  ...{ id: 'cpu_at_load', outcome: 'overhead' },
  ...{ baseline: { center: 80, lo: 76, hi: 84 }, comparison: { center: 100, lo: 96, hi: 104 } },
  delta: { center: 20, lo: 19, hi: 21 },
};
const wire = {
  ...{ id: 'wire_bytes_per_transaction', outcome: 'overhead' },
  ...{ baseline: exactly(10_000), comparison: exactly(10_200), delta: { center: 200, lo: 180, hi: 220 } },
};

/** A run of two steps; nine bytes in ten are the server's. */
function run(change: object = {}): RunDocument {
  const slot = (arm: string) => ({ arm, load: { wireBytesRead: 9000, wireBytesWritten: 1000 } });
  return {
    ...{ metrics: [cpu, wire], scenario: { steps: [1, 2] } },
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
    tls: {
      baseline: { negotiated: null },
      comparison: { negotiated: { protocol: 'TLSv1.3', key: 'RSA 2048', group: 'X25519' } },
    },
    blocks: [{ kind: 'lockstep', reasons: [], slots: [slot('baseline'), slot('comparison')] }],
    ...change,
  } as unknown as RunDocument;
}

/** A handshake of 500 µs in the lab, half of it the server's, which sends 3,000 bytes. */
const grid = {
  cells: [
    {
      status: 'measured',
      cell: {
        version: 'TLSv1.3',
        key: 'RSA-2048',
        group: 'X25519',
        resumption: 'full',
        bytes: 1,
        cipher: 'TLS_AES_128_GCM_SHA256',
      },
      ...{ ratio: exactly(1), ends: null, wire: { withTicketsBytes: { serverToClient: 3000 } } },
    },
  ],
  baseline: { cpuUs: { median: 600 } },
  plain: [{ bytes: 1, cpuUs: { median: 100 }, ends: null }],
} as unknown as HandshakesDocument;

function rowsOf(document: RunDocument, load: object, known: HandshakesDocument | null = null) {
  const bill = billOfRun(document, billRequestSchema.parse({ load: { utilization: 0.5, ...load } }), known);
  return { ...bill, row: (id: string) => bill.rows.find((each) => each.id === id) };
}

test('requests of a run cost its CPU per transaction, and send what its servers sent', () => {
  const { row, notIncluded } = rowsOf(run(), { requestsPerS: 4000 });
  // 2,000 transactions/s × 20 µs, at half of a core.
  expect(row('requests')?.added).toEqual(near({ center: 0.08, lo: 0.076, hi: 0.084 }));
  expect(row('requests')?.baseline).toEqual(near({ center: 0.32, lo: 0.304, hi: 0.336 }));
  // 2,000/s × 9,000 bytes × 2,628,000 s, and 180 bytes more, as uncertain as both directions.
  expect(row('responses')?.baseline).toEqual(near(exactly(47_304)));
  expect(row('responses')?.added).toEqual(near({ center: 946.08, lo: 840.96, hi: 1051.2 }));
  expect(notIncluded[0]).toContain('this run kept its connections open');
});

test('a response of another size has the records of its own side', () => {
  const { row } = rowsOf(run(), { requestsPerS: 1000, responseBytes: 20_000 });
  expect(row('responses')?.added).toEqual(near(exactly(44_000 * 0.002628)));
});

test('handshakes are those of the lab, by what the run agreed on', () => {
  const { row } = rowsOf(run(), { fullPerS: 100 }, grid);
  // 100/s × 250 µs at half of a core; TLS on one side only.
  expect(row('handshakes')).toMatchObject({ baseline: exactly(0), added: near(exactly(0.05)) });
  expect(row('handshakeBytes')?.added).toEqual(near(exactly(100 * 3000 * 0.002628)));
  const both = {
    tls: { baseline: run().tls.comparison, comparison: run().tls.comparison },
    sides: { baseline: { transport: 'https' }, comparison: { transport: 'h2' } },
  };
  expect(rowsOf(run(both), { fullPerS: 100 }, grid).row('handshakes')?.added).toEqual(exactly(0));
});

test.each([
  ['nobody measured', run(), { fullPerS: 100 }, null],
  ['resume, which the grid lacks,', run(), { resumedPerS: 100 }, grid],
  [
    'have another key',
    run({ tls: { comparison: { negotiated: { protocol: 'TLSv1.3', key: 'EC P-256', group: 'X25519' } } } }),
    { fullPerS: 100 },
    grid,
  ],
])('handshakes that %s are not measured', (_, document, load, known) => {
  const { row, verdict } = rowsOf(document, load, known);
  expect(row('handshakes')).toMatchObject({ added: null, note: expect.stringMatching(/^Not measured/) });
  expect(verdict).toMatch(/ Without cores for handshakes and bytes of handshakes: not measured\.$/);
});

test('a run with new connections has its handshakes in it, and asks for none', () => {
  const { row, notIncluded } = rowsOf(run({ connectionsPerTransaction: 2 }), { fullPerS: 100 }, grid);
  expect(row('handshakes')).toBeUndefined();
  expect(row('requests')?.note).toContain('handshakes of 2 new connections for 2 requests');
  expect(notIncluded[0]).not.toContain('connections');
  const each = { requests: 200, transactions: 100, opened: 100, renegotiated: 0 };
  const half = { ...each, handshakesFull: 100, handshakesResumed: 0 };
  const partly = rowsOf(run({ connections: { baseline: half, comparison: half } }), { fullPerS: 100 }, grid);
  expect(partly.row('handshakes')).toBeUndefined();
  expect(partly.row('requests')?.note).toContain('With the new connections that the run had.');
});

test('a run whose CPU is unclear shows cores and bytes but no money', () => {
  const { rows, verdict } = rowsOf(run({ metrics: [{ ...cpu, outcome: 'inconclusive' }, wire] }), {});
  expect(rows.map(({ unit }) => unit)).not.toContain('$');
  expect(verdict).not.toContain('$');
});

test('CPU that the run refuses is no part of the bill', () => {
  const { row, verdict } = rowsOf(run({ metrics: [{ ...cpu, outcome: 'refused' }, wire] }), {});
  expect(row('compute')?.baseline).toBeNull();
  expect(verdict).toMatch(/^HTTPS costs .* Without cores for requests: not measured\.$/);
});

function near({ center, lo, hi }: { center: number; lo: number; hi: number }) {
  return { center: expect.closeTo(center), lo: expect.closeTo(lo), hi: expect.closeTo(hi) };
}
