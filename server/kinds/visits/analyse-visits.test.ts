/** Protects the figures of visits: found through a drift, and nothing where there is nothing. */
import { expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Pass, VisitsBlock } from '../../../shared/kinds/visits/visits.ts';
import { analyseVisits } from './analyse-visits.ts';

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
