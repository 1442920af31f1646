/** Protects the sentences that explain a difference to `openssl speed`. */
import { expect, test } from 'vitest';
import type { SpeedRow } from '../../../shared/kinds/speed/speed.ts';
import { type Circumstances, explainSlower } from './speed-notes.ts';

const circumstances: Circumstances = {
  cost: {
    primitive: 'SHA-256',
    operation: 'digest',
    node: { callUs: 0.9, nsPerByte: 0.6 },
    openssl: { callUs: 0.2, nsPerByte: 0.6 },
  },
  emptyCallUs: undefined,
  versions: { node: '3.5.8', openssl: 'OpenSSL 3.0.19' },
};

test('a block is explained by what a call costs before its first byte', () => {
  expect(explainSlower(row(0.91, 0.21, 16), circumstances)).toBe(
    'On every call, Node creates a context and a result buffer: 0.90 µs before the first byte, 0.20 µs in openssl speed, 100 % of the difference.',
  );
});

test('where no line goes through the sizes, the difference stands alone', () => {
  const cost = { ...circumstances.cost, node: null } as Circumstances['cost'];
  expect(explainSlower(row(0.91, 0.21, 16), { ...circumstances, cost })).toBe(
    'On every call, Node creates a context and a result buffer. The difference is 0.70 µs per call; no line fits the sizes, so it cannot be split into calls and bytes.',
  );
});

test('bytes that cost more are reported as well', () => {
  const cost = { ...circumstances.cost, node: { callUs: 0.9, nsPerByte: 0.9 } } as Circumstances['cost'];
  expect(explainSlower(row(15.6, 10, 16_384), { ...circumstances, cost })).toContain(
    'Each byte costs 0.90 ns against 0.60 ns: Node uses OpenSSL 3.5.8, the program uses OpenSSL 3.0.19.',
  );
});

test('a signature is explained by a call that has nothing to verify, as far as that goes', () => {
  const verify = row(9, 5, null);
  expect(explainSlower(verify, { ...circumstances, emptyCallUs: 3.6 })).toBe(
    'On every call, Node creates a context and hashes the message. A call with nothing to verify costs 3.6 µs; the difference is 4.0 µs.',
  );
  expect(explainSlower(verify, { ...circumstances, emptyCallUs: 1 })).toContain(
    'The rest comes from the library',
  );
});

test('what is less than 10 % slower needs no explanation', () => {
  expect(explainSlower(row(1.05, 1, 16), circumstances)).toBeNull();
});

test('an interval that reaches beyond no difference is no reason to look for one', () => {
  const busy = row(1.2, 1, 16);
  const openssl = { ...busy.openssl, ratio: { center: 0.83, lo: 0.5, hi: 1.1 } } as SpeedRow['openssl'];
  expect(explainSlower({ ...busy, openssl }, circumstances)).toBe(
    'It may be chance: the interval reaches +10 %. Measure again on a quieter machine.',
  );
});

function row(nodeUs: number, opensslUs: number, bytes: number | null): SpeedRow {
  const exactly = (value: number) => ({ center: value, lo: value, hi: value });
  return {
    id: '',
    primitive: 'SHA-256',
    group: 'digest',
    operation: bytes === null ? 'verify' : 'digest',
    bytes,
    operationsPerS: exactly(1e6 / nodeUs),
    bytesPerS: null,
    openssl: {
      status: 'measured',
      operationsPerS: exactly(1e6 / opensslUs),
      ratio: exactly(opensslUs / nodeUs),
    },
    sumOf: null,
    explanation: null,
  };
}
