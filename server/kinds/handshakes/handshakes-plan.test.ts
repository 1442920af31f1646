/** Protects which cells a grid has, and how many connections each gets. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupNames, keyNames, suiteNames, tlsVersions } from '../../../shared/base/cipher-suites.ts';
import {
  type HandshakesRequestInput,
  handshakesRequestSchema,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { handshakesPresets } from '../../../shared/kinds/handshakes/options.ts';
import { combinationProblem } from './handshake-axes.ts';
import { fitConnections, planHandshakes, spreadOf, userSpreadOf } from './handshakes-plan.ts';

function planOf(request: Omit<HandshakesRequestInput, 'kind'>) {
  return planHandshakes(handshakesRequestSchema.parse({ kind: 'handshakes', ...request }));
}

function idsOf(grid: HandshakesRequestInput['grid'], legacy = false): string[] {
  return planOf({ grid, legacy }).cells.map(({ id }) => id);
}

describe('presets', () => {
  test.each(handshakesPresets)('%s holds every cell once, and none that no protocol allows', (preset) => {
    const { cells } = planOf({ grid: preset });
    expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
    expect(cells.flatMap((cell) => combinationProblem(cell) ?? [])).toEqual([]);
  });

  test('today has 60 cells or more, nothing broken among them', () => {
    const { cells } = planOf({ grid: 'today' });
    expect(cells.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cells.map(({ version }) => version))).toEqual(new Set(['TLSv1.3', 'TLSv1.2']));
  });

  test('only everything and the legacy switch together go back to TLS 1.0', () => {
    const versions = (legacy: boolean) =>
      new Set(planOf({ grid: 'everything', legacy }).cells.map((cell) => cell.version));
    expect(versions(false)).not.toContain('TLSv1');
    expect(versions(true)).toContain('TLSv1');
  });

  test('the table of 1997 has four sizes of what is left of its suites, and asks for the others once', () => {
    const ids = idsOf('classic');
    expect(ids).toContain('TLSv1/NULL-MD5/RSA-512/none/102400/resumed');
    expect(ids).toContain('TLSv1/RC4-MD5/RSA-512/none/1/full');
    expect(ids).not.toContain('TLSv1/RC4-MD5/RSA-512/none/1024/full');
  });
});

describe('own axes', () => {
  test('an axis that is left out takes what fits the others', () => {
    expect(idsOf({ ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'], resumption: ['full'] })).toEqual([
      'TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256/RSA-2048/X25519/1/full',
    ]);
    expect(idsOf({ ciphers: ['DHE-RSA-AES128-SHA'], resumption: ['full'] })).toEqual([
      'TLSv1.2/DHE-RSA-AES128-SHA/RSA-2048/ffdhe2048/1/full',
    ]);
    expect(idsOf({ ciphers: ['AES128-SHA'], versions: ['TLSv1.1'], resumption: ['full'] }, true)).toEqual([
      'TLSv1.1/AES128-SHA/RSA-2048/none/1/full',
    ]);
    expect(idsOf({ versions: ['TLSv1.2'], keys: ['RSA-3072'], bytes: [7], resumption: ['resumed'] })).toEqual(
      ['TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256/RSA-3072/X25519/7/resumed'],
    );
  });

  test('a product leaves out what cannot be, as long as every name is in some cell', () => {
    const ids = idsOf({
      versions: ['TLSv1.3', 'TLSv1.2'],
      keys: ['P-256', 'ML-DSA-65'],
      groups: ['X25519', 'MLKEM768'],
      resumption: ['full'],
    });
    expect(ids).toEqual([
      'TLSv1.3/TLS_AES_128_GCM_SHA256/P-256/X25519/1/full',
      'TLSv1.3/TLS_AES_128_GCM_SHA256/P-256/MLKEM768/1/full',
      'TLSv1.3/TLS_AES_128_GCM_SHA256/ML-DSA-65/X25519/1/full',
      'TLSv1.3/TLS_AES_128_GCM_SHA256/ML-DSA-65/MLKEM768/1/full',
      'TLSv1.2/ECDHE-ECDSA-AES128-GCM-SHA256/P-256/X25519/1/full',
    ]);
  });

  test.each([
    [
      { ciphers: ['ECDHE-RSA-AES128-GCM'] },
      /no cipher suite "ECDHE-RSA-AES128-GCM".*ECDHE-RSA-AES128-GCM-SHA256/,
    ],
    [{ groups: ['X25519Kyber768'] }, /no group "X25519Kyber768".*X25519MLKEM768/],
    [{ keys: ['ML-DSA'] }, /no key "ML-DSA".*ML-DSA-44/],
    [{ versions: ['SSLv3'] }, /no protocol version "SSLv3".*TLSv1/],
    [{ versions: ['TLSv1.2'], keys: ['ML-DSA-65'] }, /ML-DSA-65 needs TLSv1.3/],
    [{ versions: ['TLSv1.2'], groups: ['X25519MLKEM768'] }, /needs a curve \(X25519.*not X25519MLKEM768/],
    [{ ciphers: ['AES128-SHA256'], groups: ['X25519'] }, /AES128-SHA256 uses no key agreement group/],
    [
      { versions: ['TLSv1.3'], ciphers: ['AES128-SHA256'] },
      /AES128-SHA256 works with TLSv1.2, not with TLSv1.3/,
    ],
    [
      { ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256'], keys: ['RSA-2048'] },
      /needs the key P-256, P-384 or Ed25519/,
    ],
    [{ keys: ['RSA-1024'] }, /RSA-1024 needs the legacy option/],
    [{ ciphers: ['RC4-MD5'] }, /RC4-MD5 needs the legacy option/],
    [{ guesses: ['X25519'] }, /The server already wants X25519/],
    [{ versions: ['TLSv1.2'], groups: ['P-256'], guesses: ['X25519'] }, /Only TLSv1.3 clients guess/],
    [{ guesses: ['X2551'] }, /no group "X2551"/],
    [{ versions: ['TLSv1.2'], compression: ['zlib' as const] }, /Certificate compression needs TLSv1\.3/],
    // One value of an axis is enough.
    [{ versions: ['TLSv1.3', 'TLSv1.2'], groups: ['X25519'], keys: ['P-256', 'RSA-512'] }, /RSA-512/],
  ])('%j is refused with the value and what would do', (grid, sentence) => {
    expect(() => planOf({ grid })).toThrow(sentence);
  });

  test('a suite that agrees no key in a group is one cell beside those of each group', () => {
    const ciphers = ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'];
    expect(idsOf({ ciphers, groups: ['X25519', 'P-256'], resumption: ['full'] })).toEqual([
      'TLSv1.2/AES128-GCM-SHA256/RSA-2048/none/1/full',
      'TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256/RSA-2048/X25519/1/full',
      'TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256/RSA-2048/P-256/1/full',
    ]);
  });

  test('a guess makes cells of its own, where it is wrong', () => {
    expect(
      idsOf({ groups: ['X25519', 'P-256'], guesses: ['X25519', 'P-384'], resumption: ['full'] }).map(
        (id) => id.split('/')[3],
      ),
    ).toEqual(['P-384~X25519', 'X25519~P-256', 'P-384~P-256']);
  });

  test('chains and their compression are part of the key, and compression of TLS 1.3 alone', () => {
    const grid = { versions: ['TLSv1.3', 'TLSv1.2'], keys: ['RSA-2048'], resumption: ['full' as const] };
    const ids = idsOf({ ...grid, chains: [0, 2], compression: ['none', 'zstd'] });
    expect(ids.map((id) => id.split('/')).map(([version, , key]) => `${version} ${key}`)).toEqual([
      ...['TLSv1.3 RSA-2048', 'TLSv1.3 RSA-2048+zstd', 'TLSv1.3 RSA-2048+2', 'TLSv1.3 RSA-2048+2+zstd'],
      ...['TLSv1.2 RSA-2048', 'TLSv1.2 RSA-2048+2'],
    ]);
  });

  test('names are known however they are written', () => {
    const asked = {
      versions: ['tls1.2'],
      ciphers: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
      keys: ['rsa2048'],
      groups: ['secp256r1'],
    };
    expect(idsOf({ ...asked, resumption: ['full'] })).toEqual([
      'TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256/RSA-2048/P-256/1/full',
    ]);
  });

  test('what would take more than an hour is refused with its time', () => {
    expect(() => planOf({ grid: { bytes: [10_485_760] }, connections: 100_000 })).toThrow(/about 9 hours/);
    expect(() => planOf({ grid: 'everything', connections: 100_000 })).toThrow(/hours/);
  });
});

test('whatever is asked, every cell can be, or what cannot is refused', () => {
  const some = <Name>(names: readonly Name[]) =>
    fc.option(
      fc.array(fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1, maxLength: 60 })), {
        minLength: 1,
        maxLength: 3,
      }),
      {
        nil: undefined,
      },
    );
  const grids = fc.record(
    {
      versions: some(tlsVersions),
      ciphers: some(suiteNames),
      keys: some(keyNames),
      groups: some(groupNames),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(grids, fc.boolean(), (grid, legacy) => {
      try {
        const { cells } = planOf({ grid, legacy });
        expect(cells.length).toBeGreaterThan(0);
        expect(cells.flatMap((cell) => combinationProblem(cell) ?? [])).toEqual([]);
      } catch (error) {
        expect(error).toMatchObject({ problem: { code: 'lab_impossible' } });
      }
    }),
    { numRuns: 500 },
  );
});

test('a product of all there is is refused by its size, at once', () => {
  const grid = {
    versions: [...tlsVersions],
    ciphers: [...suiteNames],
    keys: [...keyNames],
    groups: [...groupNames],
  };
  expect(() => planOf({ grid: { ...grid, bytes: [1, 2, 3] }, legacy: true })).toThrow(
    /has [\d,]+ combinations\. The maximum is 1500/,
  );
});

describe('connections that fit the time', () => {
  const plan = { ...planOf({ grid: 'today' }), rounds: 12, connections: 480, budgetS: 10 };

  test('are as planned where there is time', () => {
    expect(fitConnections(plan, [1000, 2000])).toEqual([480, 480]);
  });

  test('are fewer for the dear cells first, and never under two a round', () => {
    const costs = [500, 500, 500, 40_000, 90_000];
    const counts = fitConnections(plan, costs);
    expect(counts.slice(0, 3)).toEqual([480, 480, 480]);
    expect(counts[3]).toBeLessThan(480);
    expect(counts[4]).toBeLessThan(counts[3] as number);
    expect(counts[4]).toBeGreaterThanOrEqual(24);
    const seconds = counts.reduce((sum, count, cell) => sum + count * (costs[cell] as number), 0) / 1e6;
    expect(seconds * 1.25).toBeLessThanOrEqual(10);
  });

  test('are not cut when their number was asked for', () => {
    expect(fitConnections({ ...plan, budgetS: null }, [9e6])).toEqual([480]);
  });
});

/** Protects how the spread of a cell is summed up from its visits. */

const visits = [
  { cpuUs: Float64Array.of(100, 200, 300), wallUs: Float64Array.of(1, 2, 3), userUs: 450 },
  { cpuUs: Float64Array.of(400, 1000), wallUs: Float64Array.of(4, 5), userUs: 1050 },
];

test('the connections of all visits are one sample', () => {
  expect(spreadOf(visits, 'wallUs')).toEqual({ mean: 3, median: 3, p5: 1.2, p95: 4.8 });
});

test('the user part is the share that it has in all of them', () => {
  const share = 1500 / 2000;
  const { mean, median } = spreadOf(visits, 'cpuUs');
  expect(userSpreadOf(visits)).toMatchObject({ mean: mean * share, median: median * share });
});
