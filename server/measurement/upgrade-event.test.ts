/** Protects the logs of earlier versions: each stored event is shown as one of today. */
import { expect, test } from 'vitest';
import { measurementEventSchema } from '../../shared/kinds.ts';
import { upgradeEvent } from './upgrade-event.ts';

const upgraded = (event: unknown) =>
  measurementEventSchema.parse(JSON.parse(upgradeEvent(JSON.stringify(event))));

test('the figures of a block get the names in use today', () => {
  const block = { type: 'block', index: 3, kind: 'steady', dropped: [] };
  const older = {
    ...block,
    medians: { cpu_per_transaction: { http: 100, https: 121 } },
    ratios: { cpu_per_transaction: 1.21 },
  };
  const newer = {
    ...block,
    ...{ launch: 0, epoch: 0, windows: { measured: 0, aside: 0 }, intervals: {} },
    fromPrior: [],
    ...{ medians: { cpu_lone: { baseline: 100, comparison: 121 } }, ratios: { cpu_lone: 1.21 } },
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
