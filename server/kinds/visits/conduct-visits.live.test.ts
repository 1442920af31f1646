/** Protects the visits of a real browser: alike on both transports, and refused where they cannot be. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import { visitsRequestSchema } from '../../../shared/kinds/visits/visits.ts';
import type { LifeEvent } from '../../../shared/measurement/measurement.ts';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { findChromium } from '../../drive/browser/find-chromium.ts';
import { withVisitors } from '../../drive/browser/visitors.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import { type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { searchJourney } from '../../targets/storefront/search-scenario.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { demandProtocol } from './conduct-visits.ts';
import { visits } from './kind.ts';
import { askVisits } from './visits-report.ts';

const executablePath = findChromium(process.env) ?? '';
const signal = new AbortController().signal;
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-visits-'));
let target: OpenTarget<Arm>;

beforeAll(async () => {
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  target = await openTarget(askVisits(visitsRequestSchema.parse({ kind: 'visits' })), house, signal);
});
afterAll(async () => {
  await target.stop();
  rmSync(directory, { recursive: true });
});

/** A measurement of one block. */
const brief: typeof visits = {
  ...visits,
  conduct: ({ request, ...task }, watch, house) =>
    visits.conduct({ ...task, request: { ...request, blocks: 1 } }, watch, house),
};

test('a measurement goes from its first visit to the film, and comes to a document', async () => {
  const events: LifeEvent[] = [];
  const actions = [{ type: 'goto', line: null, page: 0, url: '/' }];
  const document = await conductAlone(
    brief,
    { kind: 'visits', journey: { name: 'Home', actions } },
    {
      house: { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: chromiumInTest },
      environment: describeEnvironment('test', true),
      tell: (event) => void events.push(event as LifeEvent),
    },
  );
  expect(visits.documentSchema.parse(document)).toEqual(document);
  expect(document.blocks).toMatchObject([{ order: expect.stringMatching(/^[ABN]{6}$/), dropped: null }]);
  expect(document.blocks[0]?.visits.map(({ arm }) => arm).toSorted()).toEqual([
    ...['baseline', 'baseline', 'comparison', 'comparison', 'twin', 'twin'],
  ]);
  expect(document.spoken?.baseline.tls).toBeNull();
  expect(document.spoken?.comparison.tls?.protocol).toBe('TLS 1.3');
  expect(document.waterfalls?.comparison.cold.map(({ path }) => path)).toEqual(['/']);
  expect(document.film?.comparison.map(({ path }) => path)).toEqual(['/']);
  const phases = events.flatMap((event) => (event.type === 'progress' ? [event.phase] : []));
  expect([...new Set(phases)]).toEqual(['preparing', 'warm-up', 'measuring', 'filming']);
});

describe('visits of a journey', () => {
  test('are the same on both transports, and the second one finds in the cache what the first one left', async () => {
    const { listeners } = target;
    const [baseline, comparison] = await withVisitors(
      executablePath,
      [listeners.baseline, listeners.comparison],
      signal,
      async ({ visit }) => {
        const actionsAt = (origin: string) => moveActions(searchJourney, origin).actions;
        return [await visit(listeners.baseline, actionsAt), await visit(listeners.comparison, actionsAt)];
      },
    );
    for (const { cold, warm } of [baseline, comparison].filter((visit) => visit !== undefined)) {
      expect(cold.documents).toBe(3);
      expect(warm.cacheHits).toBeGreaterThan(cold.cacheHits);
      for (const time of [cold.ttfbUs, cold.fcpUs, cold.lcpUs, cold.loadUs, warm.loadUs])
        expect(time).toBeGreaterThan(0);
    }
    expect(comparison?.cold.requests).toBe(baseline?.cold.requests);
    expect(comparison?.warm.cacheHits).toBe(baseline?.warm.cacheHits);
    for (const visit of [baseline, comparison]) {
      expect(visit?.waterfall.cold.map(({ path }) => path)).toEqual(['/', '/search', '/search']);
      const requests = visit?.waterfall.cold.flatMap((page) => page.requests) ?? [];
      expect(requests).toHaveLength(visit?.cold.requests ?? 0);
      expect(requests.some(({ waitUs }) => waitUs > 0)).toBe(true);
      const hits = requests.filter(({ cached, status }) => cached || status === 304);
      expect(hits).toHaveLength(visit?.cold.cacheHits ?? 0);
    }
    const handshakes = (visit: typeof baseline) =>
      visit?.waterfall.cold.flatMap(({ requests }) => requests.filter(({ tlsUs }) => tlsUs > 0)) ?? [];
    expect(handshakes(baseline)).toEqual([]);
    expect(handshakes(comparison).length).toBeGreaterThan(0);
  });

  test('are filmed page by page, from the first paint on', async () => {
    const { comparison } = target.listeners;
    const actionsAt = (origin: string) => moveActions(searchJourney, origin).actions;
    const film = await withVisitors(executablePath, [comparison], signal, (visitors) =>
      visitors.film(comparison, actionsAt),
    );
    expect(film.map(({ path }) => path)).toEqual(['/', '/search', '/search']);
    const frames = film.flatMap((page) => page.frames);
    expect(frames.length).toBeGreaterThan(0);
    for (const { atUs, picture } of frames) {
      expect(atUs).toBeGreaterThan(0);
      expect(picture).toMatch(/^\/9j\//);
    }
  });

  test('say where they stopped, with a picture of the page', async () => {
    const { baseline } = target.listeners;
    // Several match, which is known immediately. A missing one would be waited for.
    const several = [{ by: 'role', role: 'link', name: null }];
    const actionsAt = (origin: string) => [
      browserActionSchema.parse({ type: 'goto', line: 1, page: 0, url: `${origin}/` }),
      browserActionSchema.parse({ type: 'hover', line: 6, page: 0, locator: several }),
    ];
    const visiting = withVisitors(chromiumInTest ?? '', [baseline], signal, ({ visit }) =>
      visit(baseline, actionsAt),
    );
    await expect(visiting).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Step 2, line 6: \d+ elements match the link on \/, and the step needs one$/,
      ),
      stuck: { step: 2, line: 6, picture: expect.stringMatching(/^\/9j\//) },
    });
  });

  test('are refused where the browser does not trust the certificate', async () => {
    const { comparison } = target.listeners;
    const other = await openAuthority(join(directory, 'other'));
    const untrusted = { ...comparison, ca: other.caPem };
    const visiting = withVisitors(chromiumInTest ?? '', [untrusted], signal, async () => {});
    await expect(visiting).rejects.toMatchObject({ problem: { code: 'not_comparable' } });
  });
});

/** Starts a Caddy for each arm, as a program that is not ours to start. */
async function openCaddy(http3: boolean): Promise<OpenTarget<Arm>> {
  const asked = { kind: 'visits', target: 'caddy', baseline: 'h2', comparison: 'h2', objects: 3 };
  const plan = askVisits(visitsRequestSchema.parse(asked));
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  return openTarget({ ...plan, http3: [http3, http3] }, house, signal);
}

const isCaddyHere = findServers().some(({ name, installed }) => name === 'caddy' && installed);

/** Measures a round over two versions of HTTP; needs a Caddy. */
const overBoth = (request: object, chromiumPath = chromiumInTest) =>
  conductAlone(
    brief,
    { kind: 'visits', baseline: 'h2', comparison: 'h3', ...request },
    {
      house: { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath },
      environment: describeEnvironment('test', true),
    },
  );

describe.skipIf(!isCaddyHere)('visits over HTTP/3', () => {
  test('come over nothing else, beside those over HTTP/2, and their CPU and connections are counted', async () => {
    const document = await overBoth({ target: 'caddy', objects: 3 });
    expect(visits.documentSchema.parse(document)).toEqual(document);
    expect(document.sides.comparison).toEqual({ transport: 'h2', name: 'HTTP/3' });
    expect(document.spoken?.baseline.protocols).toEqual(['h2']);
    expect(document.spoken?.comparison.protocols).toEqual(['h3']);
    expect(document.arrived).toEqual({
      baseline: { h2: expect.any(Number) },
      comparison: { h3: expect.any(Number) },
    });
    // A document and three images per visit, of which there were two and a rehearsal, and the document that is asked for again.
    expect(document.arrived?.comparison.h3).toBeGreaterThanOrEqual(3 * (4 + 1));
    for (const { cold, warm } of document.blocks[0]?.visits ?? []) {
      expect(cold.requests).toBe(4);
      expect(cold.connections).toBeGreaterThanOrEqual(1);
      expect(cold.serverCpuUs).toBeGreaterThan(0);
      expect(warm.cacheHits).toBe(4);
    }
  });

  test('are resumed over new connections once the idle ones were closed', async () => {
    // The shell of tests keeps idle connections of HTTP/3.
    const document = await overBoth({ target: 'caddy', objects: 3, resumed: true }, executablePath);
    expect(visits.documentSchema.parse(document)).toEqual(document);
    const [block] = document.blocks;
    expect(block?.dropped).toBeNull();
    for (const { arm, resumed } of block?.visits ?? []) {
      expect(resumed).toMatchObject({ requests: 4, cacheHits: 4, connections: 1 });
      // Caddy says so over HTTP/2 alone.
      if (arm !== 'comparison') expect(resumed?.tlsResumed).toBe(true);
    }
    const passes = document.rows.map(({ pass }) => pass);
    expect(passes.filter((pass) => pass === 'resumed')).toHaveLength(5);
    expect(document.waterfalls?.comparison.resumed?.map(({ path }) => path)).toEqual(['/page.html']);
  });

  test.skipIf(!existsSync('/dev/net/tun') || process.getuid?.() !== 0)(
    'go over links, one after the other, and each link has rows of its own',
    async () => {
      const links = ['20ms', '100ms,1%'];
      const document = await overBoth({ target: 'caddy', objects: 1, links });
      expect(document.blocks.map(({ link }) => link)).toEqual([0, 1]);
      expect(document.links).toMatchObject([
        { roundTripMs: 20, by: { name: 'kernel' } },
        { roundTripMs: 100, lossPercent: 1, by: { name: 'kernel' } },
      ]);
      expect(document.links?.[0]?.by).toMatchObject({ congestionControl: 'reno' });
      const [near, far] = document.links ?? [];
      expect(near?.added?.median).toBeGreaterThan(19);
      expect(far?.added?.median).toBeGreaterThan(99);
      expect(document.rows.map(({ link }) => link)).toEqual([...Array(10).fill(0), ...Array(10).fill(1)]);
      expect(Object.keys(document.arrived?.comparison ?? {})).toEqual(['h3']);
      // A first visit has a handshake of one round trip at least, and a request of one.
      for (const { link, visits: made } of document.blocks)
        for (const { cold } of made) expect(cold.loadUs).toBeGreaterThan(link === 0 ? 40_000 : 200_000);
    },
  );

  test('reach an origin of one’s own that speaks both at one address', async () => {
    const caddy = await openCaddy(true);
    try {
      const { port, ca } = caddy.listeners.baseline;
      const actions = [{ type: 'goto', line: null, page: 0, url: '/page.html' }];
      const document = await overBoth({
        target: { https: `https://localhost:${port}`, ca },
        journey: { name: 'Page', actions },
      });
      expect(Object.keys(document.arrived?.baseline ?? {})).toEqual(['h2']);
      expect(Object.keys(document.arrived?.comparison ?? {})).toEqual(['h3']);
    } finally {
      await caddy.stop();
    }
  });

  test('are refused where nothing answers HTTP/3', async () => {
    const caddy = await openCaddy(false);
    try {
      const { port, ca } = caddy.listeners.baseline;
      const actions = [{ type: 'goto', line: null, page: 0, url: '/page.html' }];
      const asked = {
        target: { https: `https://localhost:${port}`, ca },
        journey: { name: 'Page', actions },
      };
      await expect(overBoth(asked)).rejects.toMatchObject({
        problem: {
          code: 'not_comparable',
          detail: expect.stringMatching(/^The journey failed over HTTP\/3 \(localhost:\d+\): /),
          advice: expect.stringMatching(/^Let the server answer HTTP\/3 on UDP port /),
        },
      });
    } finally {
      await caddy.stop();
    }
  });
});

test('a side that spoke something else, if only once, is refused', () => {
  const request = { baseline: 'h2', comparison: 'h3' } as const;
  const arrival = (path: string, protocol: string) => ({
    ...{ url: `https://shop.test${path}`, protocol, connection: '1' },
  });
  const mixed = [arrival('/', 'h3'), arrival('/favicon.ico', 'h2')];
  expect(() => demandProtocol(request, 'comparison', mixed)).toThrow(
    '1 of 2 responses of the HTTP/3 side did not come over HTTP/3: /favicon.ico came over HTTP/2.',
  );
  expect(() => demandProtocol(request, 'twin', [arrival('/', 'h3')])).toThrow(
    '1 of 1 responses of the HTTP/2 side did not come over HTTP/2: / came over HTTP/3.',
  );
  expect(() => demandProtocol(request, 'comparison', [])).toThrow(
    'No response of the HTTP/3 side came over the network.',
  );
  expect(() => demandProtocol(request, 'comparison', [arrival('/', 'h3')])).not.toThrow();
  expect(() => demandProtocol({ ...request, baseline: 'https' }, 'twin', mixed)).not.toThrow();
});
