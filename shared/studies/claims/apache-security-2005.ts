import { about, type Claim } from '../claim.ts';
import type { CellShape } from '../figures/figure.ts';
import { openssl2005Keys } from '../tables/openssl-2005.ts';
import { speedClaims } from './speed-claims.ts';

/** What Ristić derives from the speed table, and each of its rows. */

const study = 'apache-security-2005';
const signsPerS = openssl2005Keys.find(({ key, bits }) => key === 'RSA' && bits === 1024)?.signsPerS ?? 0;

const today: Omit<CellShape, 'resumption'> = {
  ...{ version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'P-256', group: 'X25519', bytes: 1 },
};

export const apacheSecurityClaims: readonly Claim[] = [
  {
    ...{ id: 'apache-security-242', study, unit: 'per second', by: ['speed'] },
    said: 'RSA-1024 signs 242 times per second, so one processor accepts at most 242 new connections per second',
    printed: `${signsPerS} per second`,
    figure: { kind: 'speed', row: 'RSA-1024/sign' },
    rule: about(signsPerS),
  },
  {
    ...{ id: 'apache-security-symmetric', study, unit: 'times', by: ['speed'] },
    said: 'Symmetric ciphers are not the bottleneck: a signature costs more',
    printed: 'RC4 at 90 MB/s, RSA-1024 at 242 per second: 8,192 bytes take a fiftieth of a signature',
    figure: { kind: 'speed', row: 'AES-128-GCM/encrypt/8192', over: 'RSA-2048/sign' },
    rule: { from: 1 },
    note: 'How many times 8,192 bytes are encrypted with AES-128-GCM while RSA-2048 signs once.',
  },
  {
    ...{
      id: 'apache-security-keep-alive',
      study,
      unit: 'times',
      printed: null,
      by: ['servers', 'servers-grid'],
    },
    said: 'HTTP keep-alive lifts the bound: one signature for each connection',
    figure: { kind: 'servers', of: 'keep-alive gain' },
    rule: { from: 1.05 },
    note: 'Requests per CPU second, connections kept open ÷ one for each request.',
  },
  {
    ...{ id: 'apache-security-sessions', study, unit: 'times', printed: null, by: ['handshakes'] },
    said: 'A session cache lifts the bound too: a resumed handshake costs less',
    figure: {
      ...{ kind: 'handshakes', of: 'cost' },
      cell: { ...today, resumption: 'resumed' },
      over: { ...today, resumption: 'full' },
    },
    rule: { to: 0.95 },
    note: 'CPU of both ends with TLS 1.3, P-256 and X25519: resumed ÷ full.',
  },
  ...speedClaims(study, 2005),
];
