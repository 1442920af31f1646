/** Protects the charts of then and now: which lines the old tables and today’s figures make. */
import { expect, test } from 'vitest';
import type { HandshakeCell, MeasuredCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedRow } from '../../../shared/kinds/speed/speed.ts';
import { gridCurves, speedCurves } from './then-and-now-figure.tsx';

function cell(bytes: number, resumption: HandshakeCell['resumption'], us: number): MeasuredCell {
  return {
    status: 'measured',
    cell: {
      ...{ id: `${bytes}/${resumption}`, version: 'TLSv1', cipher: 'AES128-SHA', key: 'RSA-512' },
      ...{ group: null, bytes, resumption },
    },
    userUs: { mean: us, median: us, p5: us, p95: us },
  } as MeasuredCell;
}

function row(id: string, bytes: number | null, perS: number, opensslPerS?: number): SpeedRow {
  const exactly = (value: number) => ({ center: value, lo: value, hi: value });
  return {
    ...{ id, bytes, operationsPerS: exactly(perS) },
    openssl:
      opensslPerS === undefined
        ? { status: 'missing', reason: '' }
        : { status: 'measured', operationsPerS: exactly(opensslPerS), ratio: null },
    bytesPerS: bytes === null ? null : exactly(bytes * perS),
  } as SpeedRow;
}

test('a suite of 1997 has four lines: full and resumed, then and now, over the payloads that both have', () => {
  const cells = [
    ...[cell(1, 'full', 200), cell(10_240, 'full', 300)],
    ...[cell(1, 'resumed', 100), cell(10_240, 'resumed', 158)],
  ];
  const curves = gridCurves(cells);
  expect(curves.map(({ name }) => name)).toEqual([
    'SSLv2 RC4-MD5, RSA 512',
    'SSLv3 RC4-MD5, RSA 512',
    'SSLv3 RC4-SHA, RSA 512',
  ]);
  expect(curves[1]?.lines.map(({ label, dashed, points }) => [label, dashed, points])).toEqual([
    [
      '1997, full',
      true,
      [
        { x: 1, y: 14_460 },
        { x: 10_240, y: 20_250 },
      ],
    ],
    [
      'Now, AES128-SHA, full',
      false,
      [
        { x: 1, y: 200 },
        { x: 10_240, y: 300 },
      ],
    ],
    [
      '1997, resumed',
      true,
      [
        { x: 1, y: 1560 },
        { x: 10_240, y: 7900 },
      ],
    ],
    [
      'Now, AES128-SHA, resumed',
      false,
      [
        { x: 1, y: 100 },
        { x: 10_240, y: 158 },
      ],
    ],
  ]);
  expect(curves[1]?.caption).toBe('Speedup since 1997: full 68 to 72, resumed 16 to 50.');
});

test('an algorithm has a line for each old table and one of now, with what grew at the largest size', () => {
  const curves = speedCurves([
    row('MDC2/digest/64', 64, 1e5),
    row('MDC2/digest/8192', 8192, 1e3),
    row('MD5/digest/64', 64, 1e6, 5e6),
    row('MD5/digest/8192', 8192, 1e5, 1.1e5),
    row('RSA-1024/sign', null, 11_000),
    row('RSA-2048/sign', null, 2000),
  ]);
  expect(curves.map(({ name, x }) => [name, x])).toEqual([
    ['md5', 'Input size, bytes'],
    ['RSA sign', 'Key size, bits'],
    // In the table of 1997 alone.
    ['mdc2', 'Input size, bytes'],
  ]);
  const [md5, rsa] = curves;
  expect(md5?.lines.map(({ label, points }) => [label, points.length])).toEqual([
    ['1997', 5],
    ['2005', 5],
    ['Now, openssl speed', 2],
    ['Now', 2],
  ]);
  expect(md5?.caption).toBe(
    'md5, 8,192 bytes: 23.6 MB/s in 1997, 333 MB/s in 2005, 901 MB/s now, 38 times as much as in 1997.',
  );
  expect(rsa?.lines.at(-1)?.points).toEqual([
    { x: 1024, y: 11_000 },
    { x: 2048, y: 2000 },
  ]);
  expect(rsa?.caption).toMatch(
    /^RSA sign, 2,048 bits: 3.8 per second in 1997, 40.0 per second in 2005, 2,000 per second now/,
  );
});

test('what was measured at one size alone makes no line', () => {
  expect(gridCurves([cell(1, 'full', 200)])).toEqual([]);
  expect(speedCurves([row('MD5/digest/64', 64, 1e6)])).toEqual([]);
});
