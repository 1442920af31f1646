/** Protects how a schedule is asked for: what people write is read back as printed, and nonsense is refused at its field. */
import { expect, test } from 'vitest';
import { fieldErrorsOf } from '../base/problem.ts';
import { newScheduleSchema, parseRhythm, printRhythm } from './schedule.ts';

test.each([
  ['hourly', 'every hour'],
  ['hourly at :05', 'every hour at :05'],
  ['nightly', 'every night at 02:30 (Europe/Berlin)'],
  ['Nightly at 3:15', 'every night at 03:15 (Europe/Berlin)'],
  ['weekly', 'every Sunday at 02:30 (Europe/Berlin)'],
  ['weekly on monday at 23:59', 'every Monday at 23:59 (Europe/Berlin)'],
])('%s is %s', (text, words) => {
  const rhythm = parseRhythm(text, 'Europe/Berlin');
  expect(rhythm === null ? null : printRhythm(rhythm)).toBe(words);
});

test.each([
  ...[
    '',
    'every second',
    'secondly',
    'nightly at 24:00',
    'nightly at noon',
    'hourly at :60',
    'hourly at 02:30',
  ],
  ...['weekly on Mon', 'weekly on Monday at', 'nightly on Monday', '* * * * *', 'nightly; rm -rf /'],
])('“%s” is no rhythm', (text) => expect(parseRhythm(text, 'UTC')).toBeNull());

const of = 'x'.repeat(22);
const nightly = { every: 'night' };

test('what is left out is half past two, without an end', () => {
  expect(newScheduleSchema.parse({ of, rhythm: nightly })).toEqual({
    ...{ of, times: null, lastDay: null },
    rhythm: { every: 'night', at: '02:30', zone: 'UTC' },
  });
});

test.each<[field: string, body: object]>([
  ['rhythm.every', { rhythm: { every: 'second' } }],
  ['rhythm', { rhythm: 'every second' }],
  ['rhythm.seconds', { rhythm: { every: 'hour', seconds: 1 } }],
  ['rhythm.minute', { rhythm: { every: 'hour', minute: 0.5 } }],
  ['rhythm.at', { rhythm: { every: 'night', at: '2:30' } }],
  ['rhythm.zone', { rhythm: { every: 'night', zone: 'Mars/Olympus' } }],
  ['rhythm.day', { rhythm: { every: 'week', day: 'Caturday' } }],
  ['times', { rhythm: nightly, times: 0 }],
  ['times', { rhythm: nightly, times: 1e9 }],
  ['lastDay', { rhythm: nightly, lastDay: '2026-02-30' }],
  ['of', { of: '../../etc', rhythm: nightly }],
])('refused at %s: %j', (field, body) => {
  const { error } = newScheduleSchema.safeParse({ of, ...body });
  expect(error === undefined ? [] : fieldErrorsOf(error).map((each) => each.field)).toEqual([field]);
});
