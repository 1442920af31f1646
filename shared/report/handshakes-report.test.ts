/** Protects the labels of a grid’s cells: they say what tells one from the others. */
import { expect, test } from 'vitest';
import type { HandshakeCell, MeasuredCell } from '../kinds/handshakes/handshakes.ts';
import { labelsOf } from './handshakes-report.ts';

function cell(parts: Partial<HandshakeCell>): MeasuredCell {
  const usual = {
    id: '',
    version: 'TLSv1.2',
    key: 'RSA-2048',
    group: 'X25519',
    bytes: 1,
    resumption: 'full',
  };
  return { cell: { ...usual, cipher: 'ECDHE-RSA-AES128-SHA', ...parts } } as MeasuredCell;
}

test('a label says what tells a cell from the others, and a suite without what key and group say', () => {
  const cells = [
    cell({}),
    cell({ cipher: 'ECDHE-ECDSA-AES128-SHA', key: 'P-256' }),
    cell({ cipher: 'DHE-RSA-AES128-SHA', group: 'ffdhe2048' }),
    cell({ cipher: 'AES128-SHA', group: null }),
    cell({ cipher: 'TLS_AES_128_GCM_SHA256', version: 'TLSv1.3' }),
  ];
  const labels = cells.map(labelsOf(cells));
  expect(labels).toEqual([
    'RSA-2048 · X25519 · AES128-SHA · TLS 1.2',
    'P-256 · X25519 · AES128-SHA · TLS 1.2',
    'RSA-2048 · ffdhe2048 · AES128-SHA · TLS 1.2',
    'RSA-2048 · RSA encryption · AES128-SHA · TLS 1.2',
    'RSA-2048 · X25519 · AES-128-GCM-SHA256 · TLS 1.3',
  ]);
  expect(labelsOf([cell({}), cell({ bytes: 1024 })])(cell({ bytes: 1024 }))).toBe(
    'RSA-2048 · X25519 · 1,024 B',
  );
});
