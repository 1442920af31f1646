import { expect, test } from 'vitest';
import type { HandshakesDocument, LabCell, MeasuredCell } from '../../../shared/lab.ts';
import { costsOfGrid } from './costs-of-grid.ts';

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
  const cost = costsOfGrid(grid).full('RSA-2048', 'X25519');
  expect(cost).toMatchObject({
    source: 'measured',
    value: { center: expect.closeTo((900 - runtimeUs) / 2) },
  });
});

test('a pair that was not measured together is put together from a cell of each', () => {
  const cost = costsOfGrid(grid).full('RSA-2048', 'X25519MLKEM768');
  expect(cost).toMatchObject({
    source: 'measured in part',
    from: 'Of the grid: RSA-2048 with X25519, and P-256 with X25519MLKEM768, less what the two have in common.',
  });
  expect(cost?.value.center).toBeCloseTo((800 + 500 - 400) / 2);
});

test('resumed handshakes are known by their group, bytes by the cells that differ in them alone', () => {
  const costs = costsOfGrid(grid);
  expect(costs.resumed('X25519')?.value.center).toBeCloseTo(150);
  // 400 µs for 100,000 bytes each way, each handled by both ends.
  expect(costs.byte()?.value.center).toBeCloseTo(400 / 400_000);
});

test('what the grid has not measured it does not know', () => {
  const costs = costsOfGrid(grid);
  expect(costs.full('P-384', 'X25519')).toBeNull();
  expect(costs.resumed('X25519MLKEM768')).toBeNull();
  expect(costsOfGrid(gridOf([])).byte()).toBeNull();
});

function cell(asked: Partial<LabCell>, us: number): MeasuredCell {
  const full: LabCell = {
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
