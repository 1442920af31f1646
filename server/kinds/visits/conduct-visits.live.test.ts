/** Protects the visits of a real browser: alike on both transports, and refused where they cannot be. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import type { LifeEvent } from '../../../shared/measurement/measurement.ts';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { findChromium } from '../../drive/browser/find-chromium.ts';
import { withVisitors } from '../../drive/browser/visitors.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { searchJourney } from '../../targets/storefront/search-scenario.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { visits } from './kind.ts';
import { visitsAsked } from './visits-report.ts';

const executablePath = findChromium(process.env) ?? '';
const signal = new AbortController().signal;
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-visits-'));
let target: OpenTarget<Arm>;

beforeAll(async () => {
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  target = await openTarget({ target: { kind: 'storefront' }, ...visitsAsked }, house, signal);
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
