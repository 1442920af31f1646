/** Protects the costs that bills and explanations take from a grid of handshakes. */

import { expect, test } from 'vitest';
import type {
  HandshakeCell,
  HandshakesDocument,
  MeasuredCell,
} from '../../shared/kinds/handshakes/handshakes.ts';
import { costsOfGrid, handshakeBytes, recordOverhead } from './grid-costs.ts';

const runtimeUs = 100;
const baselineUs = 500;

/** The ends have equal parts, as they were not measured apart. */
const grid = gridOf([
  cell({ key: 'P-256', group: 'X25519' }, 500),
  cell({ key: 'RSA-2048', group: 'X25519' }, 900),
  cell({ key: 'P-256', group: 'X25519MLKEM768' }, 600),
  cell({ key: 'P-256', group: 'X25519', resumption: 'resumed' }, 400),
  cell({ key: 'P-256', group: 'X25519', bytes: 100_001 }, 900),
  cell({ key: 'P-384', group: 'X25519', version: 'TLSv1.2' }, 700),
]);

test('a cell of the key and group is the cost of both ends less the runtime’s, by the server’s part', () => {
  const cost = costsOfGrid(grid, 'TLSv1.3').full('RSA-2048', 'X25519');
  expect(cost?.center).toBeCloseTo((900 - runtimeUs) / 2);
});

test('a pair that was not measured together is put together from a cell of each', () => {
  const cost = costsOfGrid(grid, 'TLSv1.3').full('RSA-2048', 'X25519MLKEM768');
  expect(cost?.center).toBeCloseTo((800 + 500 - 400) / 2);
});

test('resumed handshakes are known by their group, bytes by the cells that differ in them alone', () => {
  const costs = costsOfGrid(grid, 'TLSv1.3');
  expect(costs.resumed('X25519')?.center).toBeCloseTo(150);
  // 400 µs for 100,000 bytes each way, each handled by both ends.
  expect(costs.byte()?.center).toBeCloseTo(400 / 400_000);
});

test('what the grid has not measured it does not know', () => {
  const costs = costsOfGrid(grid, 'TLSv1.3');
  expect(costs.full('P-384', 'X25519')).toBeNull();
  expect(costs.resumed('X25519MLKEM768')).toBeNull();
  expect(costsOfGrid(gridOf([]), 'TLSv1.3').byte()).toBeNull();
});

test('a wrong guess and a large payload are no cost of a handshake', () => {
  const guessed = gridOf([cell({ group: 'P-256', guess: 'X25519' }, 700), cell({ bytes: 100_001 }, 900)]);
  expect(costsOfGrid(guessed, 'TLSv1.3').full('P-256', 'P-256')).toBeNull();
  expect(costsOfGrid(guessed, 'TLSv1.3').full('P-256', 'X25519')).toBeNull();
});

test('with TLS 1.2 its own cells count, and a resumed one of any group, as it agrees on none', () => {
  const twelve = { version: 'TLSv1.2', cipher: 'ECDHE-RSA-AES128-GCM-SHA256', key: 'RSA-2048' } as const;
  const both = gridOf([
    cell({ key: 'RSA-2048' }, 900),
    cell({ ...twelve, group: 'X25519' }, 700),
    cell({ ...twelve, group: 'X25519', resumption: 'resumed' }, 150),
    cell({ ...twelve, cipher: 'AES128-GCM-SHA256', group: null }, 300),
  ]);
  const costs = costsOfGrid(both, 'TLSv1.2');
  expect(costs.full('RSA-2048', 'X25519')?.center).toBeCloseTo(300);
  expect(costs.resumed('P-256')?.center).toBeCloseTo(25);
});

test('how well the server’s part is known is in the interval', () => {
  const exactly = (us: number) => ({ center: us, lo: us, hi: us });
  const measured = cell({}, 500);
  measured.ends = {
    connections: 60,
    clientCpuUs: { center: 350, lo: 340, hi: 360 },
    serverCpuUs: { center: 250, lo: 240, hi: 260 },
  };
  const grid = gridOf([measured]);
  for (const pair of grid.plain)
    pair.ends = { connections: 60, clientCpuUs: exactly(50), serverCpuUs: exactly(50) };
  const cost = costsOfGrid(grid, 'TLSv1.3').full('P-256', 'X25519');
  // 200 of 500 µs are the server's, each known to ±10: the share moves by 300 · 10 and 200 · 10 of 500².
  expect(cost?.center).toBeCloseTo(0.4 * (500 - runtimeUs));
  const half = ((500 - runtimeUs) * Math.hypot(3000, 2000)) / 500 ** 2;
  expect(cost?.lo).toBeCloseTo(0.4 * (500 - runtimeUs) - half);
  expect(cost?.hi).toBeCloseTo(0.4 * (500 - runtimeUs) + half);
});

function cell(asked: Partial<HandshakeCell>, us: number): MeasuredCell {
  const full: HandshakeCell = {
    id: '',
    version: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    key: 'P-256',
    group: 'X25519',
    bytes: 1,
    resumption: 'full',
    ...asked,
  };
  const ratio = us / baselineUs;
  return {
    status: 'measured',
    cell: full,
    cpuUs: spread(us),
    ratio: { center: ratio, lo: ratio, hi: ratio },
    ends: null,
  } as MeasuredCell;
}

function gridOf(cells: MeasuredCell[]): HandshakesDocument {
  const plain = [1, 100_001].map((bytes) => ({ bytes, cpuUs: spread(runtimeUs), ends: null }));
  return { cells, baseline: cell({}, baselineUs), plain } as HandshakesDocument;
}

function spread(us: number) {
  return { mean: us, median: us, p5: us, p95: us };
}

/** Protects what a server sends beyond responses: handshakes as a grid measured them, and records to the byte. */

type Shape = { version: string; key: string; group: string | null; guess?: string; resumption: string };

const full13 = { version: 'TLSv1.3', key: 'P-256', group: 'X25519', resumption: 'full' } as const;
const resumed12 = { version: 'TLSv1.2', key: 'P-256', group: null, resumption: 'resumed' } as const;

const bytesGrid = gridOfBytes(
  // A client that guesses wrong gets a HelloRetryRequest as well.
  [{ ...full13, guess: 'P-256' }, 1300],
  [{ ...full13, key: 'RSA-2048' }, 2000],
  [full13, 1200],
  [{ ...full13, resumption: 'resumed' }, 300],
  [{ ...full13, version: 'TLSv1.2' }, 1100],
  [resumed12, 250],
);

test.each([
  ['its key and group', full13, 'full', 1200],
  ['another key', { ...full13, key: 'RSA-2048' }, 'full', 2000],
  ['a key that the grid lacks', { ...full13, key: 'RSA-4096' }, 'full', null],
  ['a group that the grid lacks', { ...full13, group: 'P-384' }, 'full', null],
  ['resumed, whatever the key', { ...full13, key: 'RSA-4096' }, 'resumed', 300],
  ['resumed with a group that the grid lacks', { ...full13, group: 'P-384' }, 'resumed', null],
  ['TLS 1.2', { ...full13, version: 'TLSv1.2' }, 'full', 1100],
  [
    'TLS 1.2 resumed, which agrees on no group',
    { ...full13, version: 'TLSv1.2', group: 'P-384' },
    'resumed',
    250,
  ],
] as const)('bytes of a handshake: %s', (_, asked, resumption, bytes) => {
  expect(handshakeBytes(bytesGrid, asked, resumption)).toBe(bytes);
  expect(handshakeBytes(null, asked, resumption)).toBeNull();
});

// AES-GCM adds 5 + 1 + 16 bytes to a record of TLS 1.3, and 5 + 8 + 16 to one of TLS 1.2.
test.each([
  [0, 22, 29],
  [1, 22, 29],
  [16_384, 22, 29],
  [16_385, 44, 58],
  [100_000, 7 * 22, 7 * 29],
])('records of %d bytes add %d bytes with TLS 1.3 and %d with TLS 1.2', (bytes, tls13, tls12) => {
  expect(recordOverhead(bytes, 'TLSv1.3')).toBe(tls13);
  expect(recordOverhead(bytes, 'TLSv1.2')).toBe(tls12);
});

function gridOfBytes(...cells: [shape: Shape, serverToClient: number][]): Pick<HandshakesDocument, 'cells'> {
  return {
    cells: cells.map(([cell, serverToClient]) => ({
      ...{ status: 'measured', cell },
      wire: { withTicketsBytes: { serverToClient } },
    })),
  } as unknown as HandshakesDocument;
}
