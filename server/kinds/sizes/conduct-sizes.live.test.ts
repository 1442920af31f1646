/** Protects a sweep over sizes against a real nginx: every visit is there, sizes are looked at, nothing is left behind. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SizesDocument, SizesRequestInput } from '../../../shared/kinds/sizes/sizes.ts';
import { planPlacement, readAllowedCores, readCoreThreads } from '../../base/process/cores.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { brief } from '../../testing/shorten-runs.ts';
import { conductSizes } from './conduct-sizes.ts';
import { sizes } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-sizes-'));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

type Watching = { signal?: AbortSignal; tell?: (event: { type: string }) => void };

/** Rounds that are not about their length. */
const inBrief: typeof sizes = {
  ...sizes,
  conduct: (task, watch, house) => conductSizes(task, watch, house, brief.roundMs),
};

function measureSizes(
  request: Omit<SizesRequestInput, 'kind'>,
  watching: Watching = {},
): Promise<SizesDocument> {
  return conductAlone(
    inBrief,
    { kind: 'sizes', ...request },
    {
      house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
      environment: describeEnvironment('test', true),
      ...watching,
    },
  );
}

const nginx = { kind: 'managed', server: 'nginx' } as const;

test.skipIf(!hasNginx)(
  'every size is visited over every side in every round, and a line is fitted',
  async () => {
    const fractions: number[] = [];
    const document = await measureSizes(
      {
        target: nginx,
        sizes: [1000, 5000, 40_000],
        suites: [null, 'TLS_CHACHA20_POLY1305_SHA256'],
        rounds: 5,
        seed: 3,
      },
      {
        tell: (event) => {
          if (event.type === 'progress') fractions.push((event as unknown as { fraction: number }).fraction);
        },
      },
    );
    expect(document.rounds.map(({ launch }) => launch)).toEqual([0, 1, 2, 3, 4]);
    for (const { points } of document.rounds) {
      const visits = points.map(({ size, arm }) => `${size} ${arm}`).toSorted();
      expect(visits).toEqual(
        [1000, 5000, 40_000].flatMap((size) => ['http', 0, 1].map((arm) => `${size} ${arm}`)).toSorted(),
      );
      for (const point of points) {
        expect(point.transactions).toBeGreaterThan(0);
        expect(point.cpuUs).toBeGreaterThan(0);
        expect(point.atLoad.transactions).toBeGreaterThan(0);
        expect(point.atLoad.busyCores).toBeGreaterThan(0);
        expect(point.p2_5).toBeLessThanOrEqual(point.medianUs);
        expect(point.p97_5).toBeGreaterThanOrEqual(point.medianUs);
      }
    }
    const [http, first, second] = document.arms;
    expect(http?.negotiated).toBeNull();
    expect(first?.negotiated?.protocol).toBe('TLSv1.3');
    expect(second?.negotiated?.cipher).toBe('TLS_CHACHA20_POLY1305_SHA256');
    expect(first?.connectUs).toBeGreaterThan(http?.connectUs ?? Number.POSITIVE_INFINITY);
    for (const arm of document.arms) expect(arm.latency?.straight.offsetUs.center).toBeGreaterThan(0);
    expect(document.server).toMatchObject({ name: 'nginx', version: expect.stringMatching(/^\d/) });
    expect(document.load).toEqual({ users: 8, cores: document.placement?.target.length });
    const allowed = readAllowedCores();
    expect(document.placement).toEqual(planPlacement(allowed, 1, readCoreThreads(allowed)));
    expect(document.comparisons.map(({ arm }) => arm)).toEqual([0, 1]);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  },
);

test.skipIf(!hasNginx)(
  'a document of another size than its name says ends the sweep in a sentence',
  async () => {
    const authority = await openAuthority(join(dataDirectory, 'authority'));
    const { httpsPort, stop } = await startNginxInTest(authority, ['https']);
    const server = createServer((_request, response) => response.end('short'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const target = {
      kind: 'origins' as const,
      http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      https: `https://127.0.0.1:${httpsPort}`,
      ca: authority.caPem,
    };
    try {
      await expect(measureSizes({ target, sizes: [1000, 2000], rounds: 5 })).rejects.toThrow(
        /404|answers 5 bytes instead of 1000/,
      );
    } finally {
      server.close();
      await stop();
    }
  },
);

test.skipIf(!hasNginx)('a sweep that is canceled ends at once', async () => {
  const cancellation = new AbortController();
  const rounds: string[] = [];
  const ending = measureSizes(
    { target: nginx, sizes: [1000, 2000], rounds: 100 },
    {
      signal: cancellation.signal,
      tell: ({ type }) => {
        if (type !== 'sizes') return;
        rounds.push(type);
        cancellation.abort(new Error('cancelled'));
      },
    },
  );
  await expect(ending).rejects.toThrow('cancelled');
  expect(rounds).toEqual(['sizes']);
});

test.each([
  [{ target: { kind: 'storefront' as const } }, /no documents of given sizes/],
  [{ target: nginx, suites: ['TLS_NO_SUCH_SUITE'] }, /not a cipher suite/],
  [{ target: nginx, suites: ['ECDHE-RSA-AES128-GCM-SHA256'] }, /needs an RSA key/],
])('what cannot be measured is refused before anything starts: %o', async (request, reason) => {
  await expect(measureSizes(request)).rejects.toThrow(reason);
});
