/** Protects think times: kept where turns hold them, and left out with a word where not. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { planFor } from './plan-for.ts';
import { thinkTimesLeftOut } from './think-times.ts';

const planOf = (request: object, thinkTimesMs: number[]) =>
  planFor(runRequestSchema.parse(request), 1, { thinkTimesMs });

test('think times are kept where a turn holds them', () => {
  expect(planOf({ length: 'first' }, [20, 40])).toMatchObject({ thinkTimeScale: 1, thinkMs: 60 });
  expect(planOf({ length: 'quote' }, [60, 60])).toMatchObject({ thinkTimeScale: 1, thinkMs: 120 });
  expect(planOf({ length: 'quote' }, [60, 61])).toMatchObject({ thinkTimeScale: 0 });
});

test('longer ones are left out, which is said, unless they are asked for', () => {
  const thinkTimes = [3000, 5000];
  const plan = planOf({ length: 'quote' }, thinkTimes);
  expect(plan).toMatchObject({ thinkTimeScale: 0, thinkMs: 0 });
  expect(thinkTimesLeftOut(null, plan.thinkTimeScale, thinkTimes)).toEqual([
    expect.stringContaining('8.0 s per visit) were left out'),
  ]);
  const asked = planOf({ length: 'quote', thinkTimeScale: 1 }, thinkTimes);
  expect(asked).toMatchObject({ thinkTimeScale: 1, thinkMs: 8000 });
});

test('nothing is said where there were none, or where none were asked for', () => {
  expect(thinkTimesLeftOut(null, 1, [0, 0])).toEqual([]);
  expect(thinkTimesLeftOut(0, 0, [3000])).toEqual([]);
});
