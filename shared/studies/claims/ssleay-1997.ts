import { printFactor, printNumber } from '../../base/quantity.ts';
import { about, type Claim } from '../claim.ts';
import type { CellShape } from '../figures/figure.ts';
import { connectionsPerS, rc4Row } from '../tables/ssltest-1997.ts';
import { type OldHandshakeFigure, oldHandshakeFigures } from '../then-and-now/handshakes-then-and-now.ts';
import { speedClaims } from './speed-claims.ts';

/** What Eric Young's figures say, and every row of them. */

const stands = 'TLS 1.0 with AES128-SHA stands in for SSLv3 with RC4-MD5.';

function aes128(key: CellShape['key'], bytes: number, resumption: CellShape['resumption']): CellShape {
  return { version: 'TLSv1', cipher: 'AES128-SHA', key, bytes, resumption };
}

function savedByResumption(rsaBits: 512 | 1024): Claim {
  const { fullS, resumedS } = rc4Row(rsaBits, 1);
  const factor = fullS / resumedS;
  return {
    ...{ id: `ssleay-resumption-${rsaBits}`, study: 'ssleay-1997', unit: 'times', by: ['ssltest'] },
    said: `With a ${printNumber(rsaBits, 0)}-bit key, a full connection costs ${printFactor(factor)} times a resumed one`,
    printed: `${printNumber(fullS, 2)} s and ${printNumber(resumedS, 2)} s for 1,000: ${printFactor(factor)} times`,
    figure: {
      ...{ kind: 'handshakes', of: 'cost' },
      cell: aes128(`RSA-${rsaBits}`, 1, 'full'),
      over: aes128(`RSA-${rsaBits}`, 1, 'resumed'),
    },
    rule: about(factor),
    note: stands,
  };
}

const derived = rc4Row(512, 10_240);

export const ssleayClaims: readonly Claim[] = [
  {
    ...{ id: 'ssleay-connections', study: 'ssleay-1997', unit: 'per second', by: ['ssltest'] },
    said: '10,240 bytes each way, RC4-MD5, a 512-bit key, no reuse: one processor makes about 49 connections per second',
    printed: `1,000 in ${printNumber(derived.fullS, 2)} s: ${printNumber(connectionsPerS(derived.fullS), 1)} per second`,
    figure: { kind: 'handshakes', of: 'connections', cell: aes128('RSA-512', 10_240, 'full') },
    rule: about(connectionsPerS(derived.fullS)),
    note: stands,
  },
  savedByResumption(512),
  savedByResumption(1024),
  {
    ...{ id: 'ssleay-latency', study: 'ssleay-1997', printed: null, unit: 'times', by: ['distance'] },
    said: 'The latency of TCP can hide what resumption saves',
    figure: { kind: 'distance', of: 'resumed ÷ full' },
    rule: { from: 0.95 },
    note: 'Time to the first byte with TLS 1.3 on the longest link: resumed ÷ full. Both take the same round trips.',
  },
  {
    ...{ id: 'ssleay-round-trip', study: 'ssleay-1997', printed: null, unit: '', by: null },
    said: 'The round-trip time slows one connection but hardly changes the throughput of many',
    word: 'not measured',
    note: 'Over a long path, the number of connections limits the throughput here, and the server does not.',
  },
  ...oldHandshakeFigures.map(rowClaim),
  ...speedClaims('ssleay-1997', 1997),
];

/** A row of the table, full or resumed. */
function rowClaim({ old, resumption, thenUserUs, cipherToday, standsIn }: OldHandshakeFigure): Claim {
  const { protocol, cipher, rsaBits, bytesEachWay, fullS, resumedS } = old;
  const seconds = resumption === 'full' ? fullS : resumedS;
  return {
    id: ['ssltest', protocol, cipher, rsaBits, bytesEachWay, resumption].join('-').toLowerCase(),
    ...{ study: 'ssleay-1997', table: 'ssltest, user time per connection', unit: 'µs', by: ['ssltest'] },
    said: `${protocol} ${cipher}, RSA ${rsaBits}, ${printNumber(bytesEachWay, 0)} B each way, ${resumption}`,
    printed: `${printNumber(seconds, 2)} s for 1,000: ${printNumber(thenUserUs, 0)} µs`,
    figure: {
      ...{ kind: 'handshakes', of: 'user time' },
      cell: {
        ...{ version: 'TLSv1', cipher: cipherToday, bytes: bytesEachWay, resumption },
        key: `RSA-${rsaBits}` as CellShape['key'],
      },
    },
    rule: about(thenUserUs),
    note: `TLS 1.0${standsIn ? ` with ${cipherToday}` : ''} stands in for ${protocol}${standsIn ? ` with ${cipher}` : ''}.`,
  };
}
