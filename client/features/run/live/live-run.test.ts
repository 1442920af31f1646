import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../../shared/progress.ts';
import { beginLiveRun, followEvents } from './live-run.ts';

const progress = (fraction: number, blocksDone: number, phase: 'capacity' | 'measuring' = 'measuring') =>
  ({ type: 'progress', phase, fraction, blocksDone, blocksPlanned: 12, secondsLeft: 40 }) satisfies RunEvent;
const block = (index: number) =>
  ({
    type: 'block',
    index,
    kind: 'steady',
    dropped: [],
    medians: { cpu_per_transaction: { baseline: 100, comparison: 121 } },
    ratios: { cpu_per_transaction: 1.21 },
  }) satisfies RunEvent;

function numbered(events: RunEvent[]) {
  return events.map((event, id) => ({ id, event }));
}

describe('following a run', () => {
  test('never goes back, whatever order the news comes in', () => {
    const run = followEvents(
      beginLiveRun('running'),
      numbered([progress(0.5, 6), progress(0.3, 4), progress(0.2, 1, 'capacity')]),
    );
    expect(run).toMatchObject({ fraction: 0.5, blocksDone: 6, phase: 'measuring' });
  });

  test('a replay from the start counts no block twice', () => {
    const log = numbered([progress(0.1, 0), block(0), block(1)]);
    const once = followEvents(beginLiveRun('running'), log);
    expect(followEvents(once, log)).toEqual(once);
    expect(once.blocks.map(({ index }) => index)).toEqual([0, 1]);
  });

  test('plans at least as many blocks as are done', () => {
    const run = followEvents(
      beginLiveRun('running'),
      numbered([{ ...progress(0.9, 14), blocksPlanned: 12 }]),
    );
    expect(run.blocksPlanned).toBe(14);
  });

  test('leaves the queue when it starts, and ends with its state', () => {
    const waiting = followEvents(
      beginLiveRun('queued'),
      numbered([{ type: 'state', state: 'queued', queuePosition: 2 }]),
    );
    expect(waiting.queuePosition).toBe(2);
    const ended = followEvents(waiting, [
      { id: 1, event: { type: 'state', state: 'running', queuePosition: null } },
      { id: 2, event: { type: 'end', state: 'incomplete' } },
    ]);
    expect(ended).toMatchObject({ queuePosition: null, state: 'incomplete', ended: true });
  });
});
