/** Protects what a result says of each program behind its headline. */

import { expect, test } from 'vitest';
import type { ProgramCost } from '../kinds/comparison/program.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { scenarioSchema } from '../scenario/scenario.ts';
import {
  bodyWords,
  decodedWords,
  doubtsOfPrograms,
  endedInWords,
  namedByChain,
  negotiatedWords,
  programsInWords,
  spokenWords,
  tlsFacts,
} from './negotiated-words.ts';

const sides = { baseline: { transport: 'http' }, comparison: { transport: 'https' } } as RunDocument['sides'];
const side = { center: 500, lo: 490, hi: 510 };
const cost = (name: string, delta: ProgramCost['delta'], change: Partial<ProgramCost> = {}): ProgramCost => ({
  ...{ name, pids: [7], role: 'companion', tie: 'connection', baseline: side, comparison: side },
  delta,
  ...change,
});

test('each program has its own interval, with signs where it may be none', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('node', { center: -2, lo: -9, hi: 5 }),
    cost('rsyslogd', { center: 3, lo: 2, hi: 4 }, { tie: null }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in node behind it −2.0 µs (−9.0 to +5.0), in rsyslogd beside it +3.0 µs (2.0 to 4.0)',
  );
});

test('a target that works alone has no such line', () => {
  expect(programsInWords({ sides })).toBeNull();
});

const nothing = { center: 0, lo: 0, hi: 0 };
const target = { role: 'target', tie: null } as const;
const rests = { center: 0.02, lo: 0, hi: 0.05 };

test('sides through different programs are named, by what their requests come to first', () => {
  const nginx = cost('nginx', { center: -1, lo: -2, hi: 0.5 }, { ...target, sides: ['baseline'] });
  const hitch = cost(
    'hitch',
    { center: 21, lo: 20, hi: 22 },
    { ...target, sides: ['comparison'], baseline: rests },
  );
  expect(programsInWords({ cpuOf: [nginx, hitch], sides })).toBe(
    'HTTP goes through nginx alone, HTTPS goes through hitch and nginx; in nginx −1.00 µs (−2.00 to +0.50), in hitch +21.0 µs (20.0 to 22.0)',
  );
  const names = (cpuOf?: ProgramCost[]) => Object.values(namedByChain(sides, cpuOf)).map(({ name }) => name);
  expect(names([nginx, hitch])).toEqual(['nginx alone', 'HTTPS through hitch']);
  expect(names([nginx])).toEqual([undefined, undefined]);
  expect(names()).toEqual([undefined, undefined]);
  const own = { ...sides, comparison: { ...sides.comparison, name: 'new' } };
  expect(namedByChain(own, [nginx, hitch])).toBe(own);
});

test('sides without a program in common have no parts of a difference', () => {
  const nginx = cost('nginx', nothing, { ...target, sides: ['baseline'], comparison: nothing });
  const apache = cost('apache2', nothing, { ...target, sides: ['comparison'], baseline: nothing });
  expect(programsInWords({ cpuOf: [nginx, apache], sides })).toBe(
    'HTTP goes through nginx alone, HTTPS goes through apache2 alone',
  );
});

test('a forwarder and the server behind it are told apart', () => {
  const cpuOf = [
    cost('docker-proxy', { center: 5, lo: 4, hi: 6 }, { ...target, part: 'forwarder' }),
    cost('nginx', { center: 20, lo: 19, hi: 21 }, { part: 'server' }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in docker-proxy, a forwarder, +5.0 µs (4.0 to 6.0), in nginx, the server, +20.0 µs (19.0 to 21.0)',
  );
});

test('late work is on either side alike, and the kernel is not in the line', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('rsyslogd', { center: 0, lo: -3, hi: 3 }, { tie: null, lateUs: 6, children: 'lost' }),
    cost('kernel', { center: 1, lo: 0, hi: 2 }, { role: 'kernel', tie: null }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in rsyslogd beside it 500 µs on either side, because it works after the requests (±3 µs)',
  );
  expect(doubtsOfPrograms({ cpuOf })).toEqual([
    expect.stringContaining('The program rsyslogd works after the requests'),
    expect.stringContaining('Some of their CPU is not counted'),
    expect.stringContaining('No sum includes them.'),
  ]);
});

test('a program that ended while it was measured is named', () => {
  const node = cost('node', nothing, { ended: true });
  expect(endedInWords([cost('nginx', nothing, target), node])).toEqual([
    'node, which works for the requests, ended or was restarted during the run. Its CPU after that is not counted. Keep it running, and repeat the run.',
  ]);
  expect(endedInWords()).toEqual([]);
});

/** Protects how negotiated TLS is named beside results: version and cipher, whatever the suite is called, of one side or both. */

test.each([
  ['TLSv1.3', 'TLS_AES_256_GCM_SHA384', 'TLS 1.3, AES-256-GCM'],
  ['TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS 1.3, ChaCha20-Poly1305'],
  ['TLSv1.3', 'TLS_AES_128_CCM_8_SHA256', 'TLS 1.3, AES-128-CCM-8'],
  ['TLSv1.2', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLS 1.2, AES-256-GCM'],
  ['TLSv1.2', 'TLS_RSA_WITH_AES_128_CBC_SHA', 'TLS 1.2, AES-128-CBC'],
  ['TLSv1', 'TLS_RSA_WITH_RC4_128_MD5', 'TLS 1.0, RC4-128'],
])('%s with %s is %s', (protocol, cipher, words) => {
  const negotiated = { protocol, cipher };
  expect(negotiatedWords({ baseline: null, comparison: negotiated })).toBe(words);
  expect(negotiatedWords({ baseline: negotiated, comparison: null })).toBe(words);
  expect(negotiatedWords({ baseline: negotiated, comparison: negotiated })).toBe(words);
});

test('without TLS there are none', () => {
  expect(negotiatedWords({ baseline: null, comparison: null })).toBeNull();
});

test('of two sides each part stands once where they agree, and from one to the other where not', () => {
  const baseline = { protocol: 'TLSv1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' };
  const modern = { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' };
  expect(negotiatedWords({ baseline, comparison: modern })).toBe('TLS 1.2 → TLS 1.3, AES-256-GCM');
  const chacha = { ...modern, cipher: 'TLS_CHACHA20_POLY1305_SHA256' };
  expect(negotiatedWords({ baseline: modern, comparison: chacha })).toBe(
    'TLS 1.3, AES-256-GCM → ChaCha20-Poly1305',
  );
});

test.each([
  ['gzip', 21_034, 'gzip, 21 kB'],
  ['', 112_800, 'not compressed, 113 kB'],
  ['br', null, 'br'],
])('Bodies that came as “%s” with %s bytes are %s', (contentEncoding, bodyBytesPerTransaction, words) => {
  expect(bodyWords({ contentEncoding, bodyBytesPerTransaction })).toBe(words);
});

test('Decoding is said where a step reads a compressed body, and nowhere else', () => {
  const step = { name: 'Page', method: 'GET' as const, path: '/' };
  const checked = { ...step, checks: [{ type: 'body_contains' as const, text: 'x' }] };
  const words = (contentEncoding: string, ...steps: object[]) =>
    decodedWords(
      { contentEncoding, bodyBytesPerTransaction: null },
      scenarioSchema.parse({ name: 'Shop', steps }),
    );
  expect(words('gzip', step, checked)).toBe('1 of 2 steps, to check or extract: client CPU');
  expect(words('gzip', step)).toBeNull();
  expect(words('', checked)).toBeNull();
});

/** Protects the words for what a browser agreed on with both sides: once what they share, and TLS where there is any. */

const plain = { protocols: ['http/1.1'], encodings: ['none'], tls: null };
const tls = { protocol: 'TLS 1.3', cipher: 'AES_128_GCM', group: 'X25519MLKEM768' };

test('a protocol that both sides speak is said once, and a group that is not known is left out', () => {
  expect(spokenWords({ baseline: plain, comparison: { ...plain, tls } })).toBe(
    'HTTP/1.1, TLS 1.3, AES-128-GCM, X25519MLKEM768',
  );
  const h2 = { ...plain, protocols: ['h2'], tls: { ...tls, group: '' } };
  expect(spokenWords({ baseline: plain, comparison: h2 })).toBe('HTTP/1.1 → HTTP/2, TLS 1.3, AES-128-GCM');
  expect(spokenWords({ baseline: plain, comparison: plain })).toBe('HTTP/1.1');
});

test('only a side that compresses its certificates has a saving', () => {
  const flight = { bytes: 1073, certificates: 2, certificateBytes: 900 };
  const rowOf = (uncompressedBytes?: number) => {
    const [tls, spoken] = [{ negotiated: null, handshakes: { full: 1, resumed: 0 } }, { transport: 'https' }];
    const own = uncompressedBytes === undefined ? flight : { ...flight, uncompressedBytes };
    const run = {
      ...{ tls: { baseline: tls, comparison: tls }, sides: { baseline: spoken, comparison: spoken } },
      preflight: { sides: { baseline: { serverFlight: flight }, comparison: { serverFlight: own } } },
    };
    return tlsFacts(run as unknown as RunDocument).find(({ name }) => name.startsWith('Server’s part'));
  };
  expect(rowOf()).toBeUndefined();
  expect(rowOf(1350)).toMatchObject({
    baseline: '1,073 bytes',
    comparison: expect.stringMatching(
      /^1,073 bytes instead of 1,350\. Compression saves 277 bytes, and no round trip, /,
    ),
  });
});
