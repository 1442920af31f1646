/** Protects the view of a recording: its list of steps, and how its end is reported. */
import { expect, test } from 'vitest';
import { type RecorderMessage, recorderMessageSchema } from '../../../shared/scenario/recorder.ts';
import { follow, nothingYet } from './recorder-tools.tsx';

const pause = (durationMs: number) => ({ type: 'pause', line: null, page: 0, durationMs });

function after(messages: object[]) {
  return messages
    .map((message): RecorderMessage => recorderMessageSchema.parse(message))
    .reduce((view, message) => follow(view, { type: 'message', message, now: 1000 }), nothingYet);
}

test('the list of steps goes on from where the server says, and a greeting replaces it', () => {
  const steps = (from: number, ...durations: number[]) => ({
    type: 'steps',
    from,
    steps: durations.map(pause),
  });
  const durations = (messages: object[]) =>
    after(messages).steps.map((step) => 'durationMs' in step && step.durationMs);
  expect(durations([steps(0, 1, 2), steps(1, 3), steps(2, 4)])).toEqual([1, 3, 4]);
  expect(durations([steps(0, 1, 2), steps(0)])).toEqual([]);
});

test('the end is shown in the time of the page, and takes an open question away', () => {
  const view = after([
    { type: 'hello', viewport: { width: 800, height: 600 }, remainingMs: 500 },
    { type: 'dialog', dialog: { kind: 'alert', message: 'Hello', text: '' } },
    { type: 'ended', ending: 'time_over' },
  ]);
  expect(view).toMatchObject({ endsAt: 1500, dialog: null, ended: 'time_over' });
});
