/** Protects what a server sends beyond responses: handshakes as a grid measured them, and records to the byte. */
import { expect, test } from 'vitest';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { handshakeBytes, recordOverhead } from './handshake-bytes.ts';

type Shape = { version: string; key: string; group: string | null; guess?: string; resumption: string };

const full13 = { version: 'TLSv1.3', key: 'P-256', group: 'X25519', resumption: 'full' } as const;
const resumed12 = { version: 'TLSv1.2', key: 'P-256', group: null, resumption: 'resumed' } as const;

const grid = gridOf(
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
  expect(handshakeBytes(grid, asked, resumption)).toBe(bytes);
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

function gridOf(...cells: [shape: Shape, serverToClient: number][]): Pick<HandshakesDocument, 'cells'> {
  return {
    cells: cells.map(([cell, serverToClient]) => ({
      ...{ status: 'measured', cell },
      wire: { withTicketsBytes: { serverToClient } },
    })),
  } as unknown as HandshakesDocument;
}
