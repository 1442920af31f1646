/** Protects the logs of earlier versions: each stored event is shown as one of today. */
import { expect, test } from 'vitest';
import { measurementEventSchema } from '../../shared/kinds.ts';
import { upgradeEvent } from './upgrade-event.ts';

const upgraded = (event: unknown) =>
  measurementEventSchema.parse(JSON.parse(upgradeEvent(JSON.stringify(event))));

test('the medians of a block get the names in use today, and its ratios stay', () => {
  const block = { type: 'block', index: 3, kind: 'steady', dropped: [] };
  const ratios = { cpu_at_load: 1.21 };
  const older = { ...block, medians: { cpu_at_load: { http: 100, https: 121 } }, ratios };
  const newer = {
    ...block,
    ...{ launch: 0, epoch: 0, windows: { measured: 0, aside: 0 }, intervals: {} },
    ...{ medians: { cpu_at_load: { baseline: 100, comparison: 121 } }, ratios },
  };
  expect(upgraded(older)).toEqual(newer);
  expect(upgraded(newer)).toEqual(newer);
});

test('progress counts its parts in one list, the widest first', () => {
  const progress = { type: 'progress', phase: 'measuring', fraction: 0.5, secondsLeft: null };
  expect(upgraded({ ...progress, blocksDone: 1, blocksPlanned: 4 })).toEqual({
    ...progress,
    counts: [{ of: 'block', done: 1, planned: 4 }],
  });
  expect(upgraded({ ...progress, cellsDone: 1, cellsPlanned: 2, roundsDone: 3, roundsPlanned: 12 })).toEqual({
    ...progress,
    counts: [
      { of: 'round', done: 3, planned: 12 },
      { of: 'cell', done: 1, planned: 2 },
    ],
  });
});

test.each([
  { type: 'state', state: 'queued', queuePosition: 2 },
  { type: 'progress', phase: 'measuring', fraction: 0.5, counts: [], secondsLeft: 1 },
  { type: 'cells', medians: [{ cell: 'a', cpuUs: 500 }] },
  { type: 'end', state: 'finished' },
])('an event of today stays as it is: %j', (event) => {
  expect(upgradeEvent(JSON.stringify(event))).toBe(JSON.stringify(event));
});
