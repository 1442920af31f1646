/** Protects the report of visits: the finding first, then its times, and what each page took. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import {
  type Pass,
  type Spoken,
  type VisitsBlock,
  visitsDocumentSchema,
  visitsRequestSchema,
} from '../../../shared/kinds/visits/visits.ts';
import { analyseVisits, reportVisits, type SeenVisit, typicalVisits, visitNotes } from './visits-report.ts';

const golden = new URL('../../life/database/golden/visits-v1.json', import.meta.url);
const document = visitsDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

test('the finding is the title, and each page of each side has a row', () => {
  const { title, lead, sections } = reportVisits(document);
  expect(title).toMatch(/^A first visit over HTTPS takes \S+ ms longer$/);
  expect(lead[0]).toMatchObject({
    type: 'text',
    sentences: [expect.stringMatching(/^\+10\S* % \(\S+ → \S+ ms\); a repeat visit /)],
  });
  const pages = sections.find(({ heading }) => heading === 'Page by page');
  expect(pages?.parts).toMatchObject([
    { rows: expect.arrayContaining([expect.arrayContaining(['/', 'cold', 'HTTPS'])]) },
  ]);
});

/** Protects the figures of visits: found through a drift, and nothing where there is nothing. */

const pass = (ms: number, painted = true): Pass => ({
  ...{
    ttfbUs: ms * 100,
    fcpUs: painted ? ms * 500 : null,
    lcpUs: painted ? ms * 800 : null,
    loadUs: ms * 1000,
  },
  ...{ documents: 1, requests: 3, bytes: 1000, cacheHits: 0 },
});

/** Eight blocks that drift, in which https takes a quarter longer on the cold visit only. */
function drifting(painted = true): VisitsBlock[] {
  return Array.from({ length: 8 }, (_, index) => {
    const base = 40 + 5 * index;
    const visit = (arm: Arm, wobble: number) => ({
      arm,
      cold: pass(base * (arm === 'comparison' ? 1.25 : 1) + wobble, painted),
      warm: pass(base + wobble),
    });
    const visits = [
      visit('baseline', 0.1),
      visit('comparison', index % 2 === 0 ? 0.2 : 0),
      visit('twin', 0),
      visit('twin', 0.1),
      visit('comparison', 0),
      visit('baseline', 0),
    ];
    return { order: 'ABNNBA', visits, dropped: null };
  });
}

const row = (rows: ReturnType<typeof analyseVisits>, passKind: string, time: string) =>
  rows.find((each) => each.pass === passKind && each.time === time);

test('what https costs on the cold visit is found through a drift, and nothing where there is nothing', () => {
  const rows = analyseVisits(drifting());
  expect(rows).toHaveLength(8);
  expect(row(rows, 'cold', 'loadUs')).toMatchObject({
    outcome: 'overhead',
    ratio: { center: expect.closeTo(1.25, 2) },
  });
  expect(row(rows, 'warm', 'loadUs')).toMatchObject({ outcome: 'no_overhead' });
});

test('the load is tested first, so that a paint that nothing can be said of does not hold it back', () => {
  const noisyPaint = drifting().map((block, index) => ({
    ...block,
    visits: block.visits.map(({ arm, cold, warm }) => {
      const lcpUs = 1000 * (arm === 'comparison' && index % 2 === 0 ? 400 : 40);
      return { arm, cold: { ...cold, lcpUs }, warm };
    }),
  }));
  const rows = analyseVisits(noisyPaint);
  expect(row(rows, 'cold', 'lcpUs')?.outcome).not.toBe('overhead');
  expect(row(rows, 'cold', 'loadUs')).toMatchObject({ outcome: 'overhead' });
  expect(row(rows, 'cold', 'loadUs')?.pairs).toHaveLength(8);
});

test('a dropped block takes no part, and a page that paints nothing has no paint', () => {
  const [first, ...others] = drifting(false);
  if (first === undefined) throw new Error('there are blocks');
  const rows = analyseVisits([
    ...others,
    { ...first, visits: first.visits.slice(0, 2), dropped: 'It failed.' },
  ]);
  expect(row(rows, 'cold', 'fcpUs')).toMatchObject({ outcome: 'refused', baseline: null });
  expect(row(rows, 'cold', 'loadUs')).toMatchObject({ outcome: 'overhead' });
});

/** Protects the visit that is drawn: a real one near the median of its side, and none before both sides have one. */

const seen = (arm: Arm, loadUs: number): SeenVisit => {
  const pass = {
    ttfbUs: 1,
    fcpUs: null,
    lcpUs: null,
    loadUs,
    documents: 1,
    requests: 1,
    bytes: 1,
    cacheHits: 0,
  };
  const page = {
    path: `/${arm}-${loadUs}`,
    ttfbUs: 1,
    fcpUs: null,
    lcpUs: null,
    loadUs,
    requests: [],
    more: 0,
  };
  return { arm, cold: pass, warm: pass, waterfall: { cold: [page], warm: [] } };
};

test('of each side it is the visit nearest to the median, and a rare one moves nothing', () => {
  const visits = [
    ...[10, 12, 900].map((us) => seen('baseline', us)),
    ...[20, 21, 22].map((us) => seen('comparison', us)),
    seen('twin', 11),
  ];
  const typical = typicalVisits(visits);
  expect(typical?.baseline.cold[0]?.path).toBe('/baseline-12');
  expect(typical?.comparison.cold[0]?.path).toBe('/comparison-21');
});

test('there is none before both sides have one', () => {
  expect(typicalVisits([seen('baseline', 1), seen('twin', 2)])).toBeNull();
});

const spoke = (secureContext: boolean, ...used: string[]) => ({
  ...{ protocols: ['http/1.1'], encodings: ['none'], tls: null },
  scripts: { secureContext, used },
});
const causesBetween = (baseline: Spoken, comparison: Spoken) =>
  visitNotes(document.request, [], { spoken: { baseline, comparison }, ownTwin: true }).filter((note) =>
    /secure context/.test(note),
  );

test('scripts that need a secure context are named where one side is none', () => {
  expect(causesBetween(spoke(false), spoke(true, 'crypto.subtle', 'navigator.serviceWorker'))).toEqual([
    'HTTP is not a secure context. The page’s scripts use crypto.subtle and navigator.serviceWorker over HTTPS, which are not available over HTTP, so the sides do not run the same code. Reach both sides as localhost, which browsers treat as a secure context without TLS, too, or visit pages whose scripts do not need one.',
  ]);
});

test.each([
  ['both sides are secure contexts', spoke(true, 'crypto.subtle'), spoke(true, 'crypto.subtle')],
  ['no script needs one', spoke(false), spoke(true)],
  ['neither side is one', spoke(false), spoke(false, 'crypto.subtle')],
  ['nobody looked at one side', { ...spoke(false), scripts: undefined }, spoke(true, 'crypto.subtle')],
])('nothing is said of secure contexts where %s', (_, baseline, comparison) => {
  const { scripts, ...rest } = baseline;
  const seen = scripts === undefined ? rest : { ...rest, scripts };
  expect(causesBetween(seen, comparison)).toEqual([]);
});

test('a resumed visit has rows of its own, which are refused where the server made a full handshake', () => {
  const returning = (tlsResumed: boolean) =>
    drifting().map((block) => ({
      ...block,
      visits: block.visits.map((visit) => ({
        ...visit,
        resumed: {
          ...pass((visit.cold.loadUs / 1000) * 2),
          ...(visit.arm === 'comparison' ? { tlsResumed } : {}),
        },
      })),
    }));
  const loadOf = (blocks: VisitsBlock[]) =>
    analyseVisits(blocks).find((row) => row.pass === 'resumed' && row.time === 'loadUs');
  expect(loadOf(returning(true))).not.toMatchObject({ outcome: 'refused' });
  expect(loadOf(returning(true))?.ratio?.center).toBeCloseTo(1.25, 1);
  expect(loadOf(returning(false))).toMatchObject({
    outcome: 'refused',
    reasons: [expect.stringMatching(/^The server made 16 full TLS handshakes on these visits/)],
  });
  expect(loadOf(drifting())).toBeUndefined();
});

test('the notes say for each side what is known of its resumption', () => {
  const request = visitsRequestSchema.parse({
    ...{ kind: 'visits', target: 'caddy', baseline: 'h2', comparison: 'h3', resumed: true },
    links: ['100ms'],
  });
  const blocks = drifting().map((block) => ({
    ...block,
    visits: block.visits.map((visit) => ({
      ...visit,
      resumed: { ...pass(9), ...(visit.arm === 'baseline' ? { tlsResumed: true } : {}) },
    })),
  }));
  const notes = visitNotes(request, blocks, { spoken: null, ownTwin: true });
  expect(notes).toContain(
    'Resumed visits came when idle connections had been closed, after 4 s. By the browser’s own account, each opened new connections. Over HTTP/2, the server says that it resumed the TLS session on 16 of 16 visits. Over HTTP/3, the server does not say whether it resumed the TLS session.',
  );
});
