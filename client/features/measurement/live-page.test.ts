/** Protects the view of a running measurement: progress never goes back, and nothing is counted twice. */
import { describe, expect, test } from 'vitest';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import { beginLive, followEvents } from './live-page.tsx';
import type { OwnEvent } from './unfold.ts';

/** A kind that counts its own events. */
const counting = { figures: 0, follow: (count: unknown, _: OwnEvent) => (count as number) + 1 };

const own: MeasurementEvent = { type: 'cells', medians: [] };
const stalled: MeasurementEvent = { type: 'stalled', detail: 'The disk is full.' };
const progress = (fraction: number, phase = 'measuring'): ProgressEvent => ({
  ...{ type: 'progress', phase, fraction, secondsLeft: 40 },
  counts: [{ of: 'block', done: fraction * 12, planned: 12 }],
});

function follow(events: MeasurementEvent[], live = beginLive('running', counting)) {
  const numbered = events.map((event, index) => ({ id: live.lastId + 1 + index, event }));
  return followEvents(live, numbered, counting);
}

describe('following a measurement', () => {
  test('its progress never goes back, whatever order the news comes in', () => {
    const live = follow([progress(0.5), progress(0.25), progress(0.2, 'capacity')]);
    expect(live.progress).toEqual(progress(0.5));
  });

  test('a replay from the start counts nothing twice', () => {
    const log = [progress(0.1), own, own].map((event, id) => ({ id, event }));
    const once = followEvents(beginLive('running', counting), log, counting);
    expect(followEvents(once, log, counting)).toEqual(once);
    expect(once.figures).toBe(2);
  });

  test('it leaves the queue when it starts, and ends with its state', () => {
    const waiting = follow(
      [{ type: 'state', state: 'queued', queuePosition: 2 }],
      beginLive('queued', counting),
    );
    expect(waiting.queuePosition).toBe(2);
    const ended = follow(
      [
        { type: 'state', state: 'running', queuePosition: null },
        { type: 'end', state: 'incomplete' },
      ],
      waiting,
    );
    expect(ended).toMatchObject({ queuePosition: null, state: 'incomplete' });
  });

  test('it is stalled until the log goes on, though that news has the id of an event before it', () => {
    const live = follow([progress(0.5)]);
    const waiting = followEvents(live, [{ id: live.lastId, event: stalled }], counting);
    expect(waiting).toEqual({ ...live, stalled: 'The disk is full.' });
    expect(follow([progress(0.6)], waiting).stalled).toBe('The disk is full.');
    expect(follow([own], waiting).stalled).toBeNull();
  });
});
