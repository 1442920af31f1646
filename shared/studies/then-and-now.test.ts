/** Protects the tables of 1997 and 2005 as they were printed, and what stands beside them today. */
import { describe, expect, test } from 'vitest';
import type { MeasuredCell } from '../kinds/handshakes/handshakes.ts';
import type { SpeedRow } from '../kinds/speed/speed.ts';
import { handshakeSentences, handshakesThenAndNow } from './handshakes-then-and-now.ts';
import { openssl2005Keys, openssl2005Speed } from './malmgren-2011.ts';
import { connectionsPerS, ssltest1997Rows } from './read-servers.ts';
import { speedSentences, speedThenAndNow, ssleay1997Keys, ssleay1997Speed } from './speed-then-and-now.ts';

describe('the tables as they were printed', () => {
  test('the derived sentence of 1997 follows from its row: 1,000 connections in 20.25 s are about 49 a second', () => {
    const row = ssltest1997Rows.find(
      ({ protocol, cipher, rsaBits, bytesEachWay }) =>
        protocol === 'SSLv3' && cipher === 'RC4-MD5' && rsaBits === 512 && bytesEachWay === 10_240,
    );
    expect(row?.fullS).toBe(20.25);
    expect(Math.round(connectionsPerS(row?.fullS ?? 0))).toBe(49);
  });

  test('the grid of 1997 is seven suites and keys at four sizes; the source lacks one of them at 1,024 bytes', () => {
    const rowsOf = (size: number) =>
      ssltest1997Rows.filter(({ bytesEachWay }) => bytesEachWay === size).length;
    expect([1, 1024, 10_240, 102_400].map(rowsOf)).toEqual([7, 6, 7, 7]);
    expect(ssltest1997Rows).toHaveLength(27);
    expect(ssltest1997Rows.every(({ fullS, resumedS }) => resumedS < fullS)).toBe(true);
  });

  test('every row has a speed for each size, and larger blocks never go through at half the speed', () => {
    for (const { sizes, rows } of [ssleay1997Speed, openssl2005Speed]) {
      for (const { kBPerS } of rows) {
        expect(kBPerS).toHaveLength(sizes.length);
        for (const [index, speed] of kBPerS.entries())
          expect(speed).toBeGreaterThan((kBPerS[index - 1] ?? 0) / 2);
      }
    }
    expect(ssleay1997Speed.rows).toHaveLength(11);
    expect(openssl2005Speed.rows).toHaveLength(15);
  });

  test('signatures a second agree with the seconds of one, to the digits that were printed', () => {
    for (const { signS, signsPerS = 0 } of openssl2005Keys) {
      const rounding = 0.000_05 + 0.05 / signsPerS ** 2;
      expect(Math.abs(1 / signsPerS - signS)).toBeLessThanOrEqual(1.001 * rounding);
    }
    expect(ssleay1997Keys.map(({ bits }) => bits)).toEqual([512, 1024, 2048, 4096]);
  });
});

describe('then and now', () => {
  test('a figure stands beside the row of today that has its primitive and its size', () => {
    const rows = [row('MD5', 'digest', 8192, 100_000), row('RSA-1024', 'sign', null, 11_000)];
    const all = speedThenAndNow(rows);
    const md5 = all.find(
      ({ year, algorithm, bytes }) => year === 1997 && algorithm === 'md5' && bytes === 8192,
    );
    expect(md5).toMatchObject({ rowId: 'MD5/digest/8192', thenPerS: 23_592_960, nowPerS: 819_200_000 });
    expect(md5?.factor).toBeCloseTo(34.72, 2);
    const rsa = all.find(({ year, algorithm }) => year === 2005 && algorithm === 'RSA 1024 sign');
    expect(rsa).toMatchObject({ thenPerS: 242, nowPerS: 11_000, quantity: 'operations/s' });
    expect(rsa?.factor).toBeCloseTo(45.45, 2);
  });

  test('what nobody measures any more stands there alone', () => {
    const sha = speedThenAndNow([]).filter(({ algorithm }) => algorithm === 'sha');
    expect(sha).toHaveLength(5);
    expect(sha[0]).toMatchObject({ rowId: null, nowPerS: null, factor: null });
  });

  test('the sentences carry the figures of both times', () => {
    const rows = [row('RSA-1024', 'sign', null, 11_000), row('RSA-2048', 'sign', null, 4000)];
    expect(speedSentences(rows)).toEqual([
      'An RSA key of 1,024 bits signed 22 times per second in 1997 and 242 times in 2005. Today it signs 11,000 times: 496 times as often as in 1997.',
      'Each full handshake needs one signature, so in 2005 one processor accepted at most 242 new connections per second (RSA, 1,024 bits). Today one core accepts at most 4,000 with RSA-2048.',
    ]);
    expect(speedSentences([])).toEqual([]);
  });

  test('a cell of the old shape stands beside 1997, with AES-128 for RC4', () => {
    const cells = [
      cell('TLSv1', 'AES128-SHA', 'RSA-512', 450),
      cell('TLSv1.3', 'TLS_AES_128_GCM_SHA256', 'P-256', 500),
    ];
    const beside = handshakesThenAndNow(cells).filter(({ factor }) => factor !== null);
    expect(beside.map(({ old, resumption }) => `${old.protocol} ${old.cipher} ${resumption}`)).toEqual([
      'SSLv2 RC4-MD5 full',
      'SSLv3 RC4-MD5 full',
      'SSLv3 RC4-SHA full',
    ]);
    expect(beside[1]).toMatchObject({ thenUserUs: 20_250, nowUserUs: 450, factor: 45, standsIn: true });
    expect(handshakeSentences(cells)).toEqual([
      'In 1997, 10,240 bytes each way, RC4-MD5, a 512-bit key, no reuse: about 49 connections per second (1,000 in 20.25 s).',
      'Today, 10,240 bytes each way, TLS 1.0, RSA encryption, RSA-512, AES128-SHA, no reuse: about 2,222 connections per second on one core, with AES-128 in place of RC4.',
      'Today, 10,240 bytes each way, TLS 1.3, X25519, P-256, no reuse: about 2,000 connections per second on one core.',
    ]);
  });
});

function row(
  primitive: string,
  operation: SpeedRow['operation'],
  bytes: number | null,
  perS: number,
): SpeedRow {
  const exactly = (value: number) => ({ center: value, lo: value, hi: value });
  return {
    id: [primitive, operation, ...(bytes === null ? [] : [bytes])].join('/'),
    primitive,
    group: bytes === null ? 'signature' : 'digest',
    operation,
    bytes,
    operationsPerS: exactly(perS),
    bytesPerS: bytes === null ? null : exactly(bytes * perS),
    openssl: { status: 'missing', reason: '' },
    sumOf: null,
    explanation: null,
  };
}

function cell(
  version: MeasuredCell['cell']['version'],
  cipher: string,
  key: MeasuredCell['cell']['key'],
  us: number,
): MeasuredCell {
  const spread = { mean: us, median: us, p5: us, p95: us };
  const bytes = { clientToServer: 0, serverToClient: 0 };
  const group = version === 'TLSv1.3' ? 'X25519' : null;
  return {
    status: 'measured',
    cell: { id: cipher, version, cipher, key, group, bytes: 10_240, resumption: 'full' },
    connections: 1,
    cpuUs: spread,
    userUs: spread,
    wallUs: spread,
    connectionsPerS: 1e6 / us,
    wire: { handshakeBytes: bytes, withTicketsBytes: bytes, flights: 3, helloRetry: false },
    agreed: { version, cipher, group, reused: false },
    ratio: null,
    roundRatios: [],
    ends: null,
  };
}
