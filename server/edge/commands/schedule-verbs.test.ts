/** Protects what `schedules` and `--repeat` take, and the table of schedules. */
import { expect, test } from 'vitest';
import type { Schedule } from '../../../shared/results/schedule.ts';
import { parseComparison } from './compare.ts';
import { parseSchedules, printSchedules } from './schedule-verbs.ts';

const id = 'Schedule00000000000000';
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const nightly = { rhythm: { every: 'night', at: '02:30', zone }, times: null, lastDay: null };

test.each([
  [[], { action: 'list', id: '', repeat: null, json: false }],
  [['--json'], { action: 'list', id: '', repeat: null, json: true }],
  [['pause', id], { action: 'pause', id, repeat: null, json: false }],
  [['add', id, '--repeat', 'nightly'], { action: 'add', id, repeat: nightly, json: false }],
  [
    ['add', id, '--repeat', 'nightly', '--labels', 'site=fra'],
    { action: 'add', id, repeat: nightly, labels: { site: 'fra' }, json: false },
  ],
])('schedules %j', (args, parsed) => expect(parseSchedules(args)).toEqual(parsed));

test('a run says how often it is repeated', () => {
  const { repeat } = parseComparison([
    ...['--repeat', 'weekly on Friday at 22:00', '--repeat-times', '4', '--repeat-until', '2027-01-31'],
  ]);
  const rhythm = { every: 'week', day: 'Friday', at: '22:00', zone };
  expect(repeat).toEqual({ rhythm, times: 4, lastDay: '2027-01-31' });
  expect(parseComparison([]).repeat).toBeNull();
});

test.each([
  [['--repeat', 'every second'], /--repeat takes hourly, nightly or weekly.*not "every second"/],
  [['--repeat-times', '3'], /need --repeat/],
  [['--repeat', 'nightly', '--repeat-times', '0'], /times/],
  [['--repeat', 'nightly', '--repeat-until', 'Friday'], /lastDay: a day is written as 2026-12-31/],
])('compare %j is refused', (args, detail) => {
  expect(() => parseComparison(args)).toThrow(detail);
});

test.each([
  [['stop', id], /"stop" is not one of them/],
  [['pause'], /takes an ID/],
  [['add', id], /--repeat belongs to schedules add/],
  [['pause', id, '--labels', 'site=fra'], /--labels belongs to schedules add/],
  [['pause', id, '--repeat', 'nightly'], /--repeat belongs to schedules add/],
])('schedules %j is refused', (args, detail) => {
  expect(() => parseSchedules(args)).toThrow(detail);
});

test('a table says what, when, and what became of the last time', () => {
  const at = new Date(2026, 10, 23, 2, 30).getTime();
  const schedule: Schedule = {
    ...{ id, kind: 'comparison', title: 'Search in storefront', times: null, lastDay: null, measured: 3 },
    ...{ rhythm: { every: 'night', at: '02:30', zone: 'UTC' }, state: 'on', nextAt: at + 86_400_000 },
    labels: {},
    last: {
      ...{ at, measurement: null },
      problem: {
        ...{ type: 'urn:x', code: 'repeat_skipped', title: 'Skipped', status: 409, advice: '' },
        detail: 'TLS Toll was not running at the scheduled time.',
      },
    },
  };
  expect(printSchedules([schedule])).toBe(
    [
      'ID                      What                  When                        Next              Measured  Last time',
      `${id}  Search in storefront  every night at 02:30 (UTC)  2026-11-24 02:30         3  2026-11-23 02:30: TLS Toll was not running at the scheduled time.`,
      '',
    ].join('\n'),
  );
  expect(printSchedules([{ ...schedule, state: 'paused', nextAt: null, last: null }])).toMatch(
    /paused +3 {2}–\n$/,
  );
  expect(printSchedules([{ ...schedule, labels: { site: 'fra' } }])).toContain('02:30 (UTC) on site=fra  ');
  expect(printSchedules([])).toContain('Nothing is repeated.');
});
