/** Protects what the command line tells of a measurement: few lines on a log, one that changes on a terminal. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import { eventPrinter } from './follow.ts';

function printed(events: MeasurementEvent[], isTTY: boolean): string {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  });
  events.forEach(eventPrinter(Object.assign(stream, { isTTY }) as never));
  return parts.join('');
}

const progress = (phase: string, ...counts: { of: string; done: number; planned: number }[]) =>
  ({ type: 'progress', phase, fraction: 0.256, counts, secondsLeft: 12.4 }) as const;
const rounds = (done: number) => ({ of: 'round', done, planned: 6 });
const cells = (done: number) => ({ of: 'combination', done, planned: 3 });

const events: MeasurementEvent[] = [
  { type: 'state', state: 'queued', queuePosition: 2 },
  { type: 'state', state: 'running', queuePosition: null },
  progress('preparing'),
  progress('measuring', rounds(1), cells(0)),
  // Told every second, however long the first cell takes.
  progress('measuring', rounds(1), cells(0)),
  progress('measuring', rounds(1), cells(2)),
  progress('measuring', { of: 'round', done: 3, planned: 14 }),
  { type: 'stalled', detail: 'There is no space left.' },
  { type: 'cells', medians: [] },
  {
    type: 'measured',
    state: 'finished',
    headline: { title: 'HTTPS costs 18 µs more', second: '+75 % at full load' },
  },
  { type: 'end', state: 'finished' },
];

test('a log has a line for each state and each of the widest parts, and none for what is within it', () => {
  expect(printed(events, false)).toBe(
    [
      'queued, place 2',
      'running',
      'preparing (26 %, about 12 s left)',
      'measuring: round 2 of 6 (26 %, about 12 s left)',
      'measuring: round 4 of 14 (26 %, about 12 s left)',
      'cannot store results yet: There is no space left.',
      'HTTPS costs 18 µs more · +75 % at full load',
      '',
    ].join('\n'),
  );
});

test('a terminal has one line of progress that changes, and nothing of it in the end', () => {
  const text = printed(events, true);
  expect(text).toContain(
    '\r\u001b[Kmeasuring: round 2 of 6, combination 3 of 3 (26 %, about 12 s left)\r\u001b[K',
  );
  expect(text).toContain('\r\u001b[Kqueued, place 2\n');
  expect(text.endsWith('\r\u001b[K')).toBe(true);
});

test('a block that is left out says of what and why, and errors by their side', () => {
  const block = {
    type: 'block',
    kind: 'lockstep',
    ...{ index: 4, launch: 2, epoch: 0, windows: { measured: 9, aside: 0 } },
    ...{ values: {}, ratios: {}, interval: null },
  } as const;
  const group = {
    side: 'comparison',
    name: 'HTTPS',
    step: 'Home',
    outcome: 'refused',
    detail: 'answered 500',
    count: 3,
  };
  const text = printed(
    [
      { ...block, reasons: [] },
      { ...block, reasons: [{ code: 'errors', message: 'HTTPS: 1 request failed.', spoils: 'all' }] },
      { ...block, reasons: [{ code: 'late', message: 'HTTP: one was late.', spoils: 'latency' }] },
      { type: 'errors', groups: [group as never] },
    ],
    false,
  );
  expect(text).toBe(
    [
      'part 5 is discarded for every metric: HTTPS: 1 request failed.',
      'part 5 is discarded for latency: HTTP: one was late.',
      'HTTPS: answered 500 (3)\n',
    ].join('\n'),
  );
});
