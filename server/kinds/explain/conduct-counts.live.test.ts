/** Protects counts of instructions: Valgrind counts a real nginx over HTTP and HTTPS, twice the same, and nothing of it is left. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { sumOf } from '../../method/statistics/mean.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { conductCounts } from './conduct-counts.ts';
import { explain } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-counts-'));
afterAll(() => vi.unstubAllEnvs());
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const has = (program: string, flag: string) => spawnSync(program, [flag]).status === 0;

test.skipIf(!has('valgrind', '--version') || !has('nginx', '-v'))(
  'nginx takes more instructions over HTTPS, and as many in every count',
  async () => {
    // The server, which is another user's, has its files in there.
    chmodSync(dataDirectory, 0o755);
    vi.stubEnv('TMPDIR', dataDirectory);
    const times = { warmUp: 32, requests: 128, parts: 3, longestMs: 300_000 };
    const brief: typeof explain = {
      ...explain,
      conduct: (task, watch, house) => conductCounts(task, watch, house, times),
    };
    const document = await conductAlone(
      brief,
      { kind: 'explain', instructions: true, seed: 5 },
      {
        house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
        environment: describeEnvironment('test', true),
      },
    );
    expect(explain.documentSchema.parse(document)).toEqual(document);
    const { instructions } = document;
    if (instructions === null) throw new Error('nothing was counted');
    const { perRequest, parts, groups } = instructions;
    expect(perRequest.baseline.center).toBeGreaterThan(5_000);
    expect(perRequest.comparison.center).toBeGreaterThan(2 * perRequest.baseline.center);
    // A second may begin in one of them, in which nginx formats the time: less than a thousandth.
    const [lowest = 0, middle = 0] = parts.comparison.toSorted((one, other) => one - other);
    expect(middle / lowest).toBeLessThan(1.001);
    for (const side of ['baseline', 'comparison'] as const) {
      const whole = sumOf(groups.map((row) => row[side]));
      expect(whole / perRequest[side].center).toBeCloseTo(1, 3);
    }
    expect(groups.find(({ group }) => group === 'encryption')).toMatchObject({ baseline: 0 });
    expect(explain.rows(document)).toHaveLength(1 + 2 * times.parts);
    expect(explain.headline(document)?.title).toMatch(/^HTTPS costs [\d,]+ more instructions per request$/);
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('tls-toll-server-'))).toEqual([]);
  },
);

test.skipIf(!has('valgrind', '--version') || !has('nginx', '-v'))(
  'a count that takes too long ends, and leaves no server',
  async () => {
    const servers = mkdtempSync(join(tmpdir(), 'tls-toll-counts-'));
    chmodSync(servers, 0o755);
    vi.stubEnv('TMPDIR', servers);
    const times = { warmUp: 1e6, requests: 128, parts: 3, longestMs: 3000 };
    const brief: typeof explain = {
      ...explain,
      conduct: (task, watch, house) => conductCounts(task, watch, house, times),
    };
    const counted = conductAlone(
      brief,
      { kind: 'explain', instructions: true },
      {
        house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
        environment: describeEnvironment('test', true),
      },
    );
    await expect(counted).rejects.toMatchObject({
      problem: {
        code: 'count_failed',
        detail: expect.stringMatching(/^Counting took more than 0\.05 minutes\./),
      },
    });
    expect(readdirSync(servers).filter((name) => name.startsWith('tls-toll-server-'))).toEqual([]);
    rmSync(servers, { recursive: true });
  },
);

test('a server that compiles its code while it runs is refused', async () => {
  const asked = explain.requestSchema.parse({ kind: 'explain', instructions: true, server: 'node' });
  const house = { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null };
  await expect(explain.prepare(asked, {}, house)).rejects.toMatchObject({
    problem: { code: 'not_countable' },
  });
});
