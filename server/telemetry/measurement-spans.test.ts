/** Protects the trace of a measurement: its ID, its parts one after another, and how it ended. */
import { expect, test } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { measurementSpans } from './measurement-spans.ts';
import { traceIdOf } from './trace-id.ts';

const observed = { id: 'aBcDeFgHiJkLmNoPqRsTuV', kind: 'comparison', queuedAt: 1000 };
const finished = { state: 'finished', startedAt: 4000, endedAt: 9000, problem: null } as const;
const times = ({ parts }: ReturnType<typeof measurementSpans>) =>
  parts.map(({ name, startedAt, endedAt }) => [name, startedAt, endedAt]);

test('the parts follow each other from the queue to the end, and nothing is wrong with one that finished', () => {
  const marks = [
    { name: 'preparation', at: 4000 },
    { name: 'preflight', at: 4200 },
    { name: 'measuring', at: 6000 },
  ];
  const spans = measurementSpans(observed, finished, marks);
  expect(spans.whole).toEqual({
    name: 'measurement comparison',
    ...{ startedAt: 1000, endedAt: 9000, error: null },
    attributes: {
      'tls_toll.measurement.id': observed.id,
      'tls_toll.measurement.kind': 'comparison',
      'tls_toll.measurement.state': 'finished',
    },
  });
  expect(times(spans)).toEqual([
    ['queued', 1000, 4000],
    ['preparation', 4000, 4200],
    ['preflight', 4200, 6000],
    ['measuring', 6000, 9000],
  ]);
});

test('one that failed names its problem, not what it was about', () => {
  const why = problem('target_unreachable', 'Nothing is listening on shop.internal:8443.').problem;
  const { whole } = measurementSpans(observed, { ...finished, state: 'failed', problem: why }, []);
  expect(whole.attributes).toMatchObject({
    'tls_toll.measurement.problem': 'target_unreachable',
    'error.type': 'target_unreachable',
  });
  expect(whole.error).toBe(why.title);
  expect(JSON.stringify(whole)).not.toContain('shop.internal');
});

test('one that was canceled is no error, and only waited if it never began', () => {
  const why = problem('run_cancelled', 'It was canceled before it started.').problem;
  const ended = { state: 'incomplete', startedAt: null, endedAt: 3000, problem: why } as const;
  const spans = measurementSpans(observed, ended, []);
  expect(spans.whole.error).toBe(null);
  expect(spans.whole.attributes).not.toHaveProperty('error.type');
  expect(times(spans)).toEqual([['queued', 1000, 3000]]);
});

test('one whose process is gone waited until it began there; one that is measured again, since it was queued again', () => {
  const lost = { ...finished, state: 'interrupted' } as const;
  expect(times(measurementSpans(observed, lost, []))).toEqual([['queued', 1000, 4000]]);
  const again = { ...observed, queuedAt: 8000 };
  expect(times(measurementSpans(again, lost, []))).toEqual([['queued', 8000, 9000]]);
});

test('the ID of its trace follows from its own ID in every version', () => {
  // printf 'tls-toll aBcDeFgHiJkLmNoPqRsTuV' | sha256sum
  expect(traceIdOf(observed.id)).toBe('2621e0fd8a31cb85cdac8c553adbcc17');
});
