/** Protects the chart of payloads: which cells of a grid make a line, and how many lines are drawn. */
import { expect, test } from 'vitest';
import type { HandshakeCell, MeasuredCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { bytesLines } from './handshakes-result-page.tsx';

function cell(bytes: number, medianUs: number, change: Partial<HandshakeCell> = {}): MeasuredCell {
  const spread = { mean: medianUs, median: medianUs, p5: medianUs, p95: medianUs };
  const both = { clientToServer: 1, serverToClient: 1 };
  return {
    status: 'measured',
    cell: {
      id: `${bytes}`,
      version: 'TLSv1.3',
      cipher: 'TLS_AES_128_GCM_SHA256',
      key: 'P-256',
      group: 'X25519',
      bytes,
      resumption: 'full',
      ...change,
    },
    connections: 1,
    cpuUs: spread,
    userUs: spread,
    wallUs: spread,
    connectionsPerS: 1,
    wire: { handshakeBytes: both, withTicketsBytes: both, flights: 3, helloRetry: false },
    agreed: { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', group: 'X25519', reused: false },
    ratio: null,
    roundRatios: [],
    ends: null,
  };
}

test('three payloads of one connection make a line, in the order of their bytes, with what a kB adds', () => {
  const { lines, caption } = bytesLines([cell(2001, 540), cell(1, 500), cell(1001, 520)], 6);
  expect(lines).toEqual([
    {
      label: 'TLS 1.3 TLS_AES_128_GCM_SHA256, P-256',
      points: [
        { x: 1, y: 500, q: 'handshakes/1/second' },
        { x: 1001, y: 520, q: 'handshakes/1001/second' },
        { x: 2001, y: 540, q: 'handshakes/2001/second' },
      ],
    },
  ]);
  expect(caption).toContain('adds 20.0 µs');
});

test('two payloads, resumed connections, and a suite with several groups make no line', () => {
  expect(bytesLines([cell(1, 1), cell(2, 2)], 6).lines).toEqual([]);
  const resumed = [1, 2, 3].map((bytes) => cell(bytes, bytes, { resumption: 'resumed' }));
  expect(bytesLines(resumed, 6).lines).toEqual([]);
  expect(bytesLines([cell(1, 1), cell(2, 2), cell(3, 3), cell(1, 9, { group: 'P-256' })], 6).lines).toEqual(
    [],
  );
});

test('more lines than a drawing bears are left out, the cheapest first, and it is said', () => {
  const cells = (['P-256', 'RSA-2048'] as const).flatMap((key, index) =>
    [1, 2, 3].map((bytes) => cell(bytes, bytes + 10 * index, { key })),
  );
  const { lines, leftOut } = bytesLines(cells, 1);
  expect(lines.map(({ label }) => label)).toEqual(['TLS 1.3 TLS_AES_128_GCM_SHA256, RSA-2048']);
  expect(leftOut).toBe('The 1 most expensive of 2.');
});
