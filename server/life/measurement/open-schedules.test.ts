/** Protects when a schedule measures next: nights stay nights when clocks change, and the last day is the last. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Rhythm, rhythmSchema, weekdays } from '../../../shared/results/schedule.ts';
import { nextTime } from './open-schedules.ts';

const from = (rhythm: object, after: string, lastDay: string | null = null) => {
  const next = nextTime(rhythmSchema.parse(rhythm), Date.parse(after), lastDay);
  return next === null ? null : new Date(next).toISOString();
};

const night = { every: 'night', at: '02:30', zone: 'Europe/Berlin' };

test('every hour is that minute of the hour, and never the moment itself', () => {
  const rhythm = { every: 'hour', minute: 15 };
  expect(from(rhythm, '2026-11-22T10:14:59.999Z')).toBe('2026-11-22T10:15:00.000Z');
  expect(from(rhythm, '2026-11-22T10:15:00Z')).toBe('2026-11-22T11:15:00.000Z');
  expect(from(rhythm, '2026-12-31T23:15:01Z')).toBe('2027-01-01T00:15:00.000Z');
});

test('every hour follows the minutes of its own clock', () => {
  expect(from({ every: 'hour', minute: 0, zone: 'Asia/Kolkata' }, '2026-11-22T10:00:00Z')).toBe(
    '2026-11-22T10:30:00.000Z',
  );
});

test('a night is the time of day in its zone', () => {
  expect(from(night, '2026-11-22T00:00:00Z')).toBe('2026-11-22T01:30:00.000Z');
  expect(from(night, '2026-11-22T01:30:00Z')).toBe('2026-11-23T01:30:00.000Z');
  expect(from({ every: 'night' }, '2026-11-22T01:30:00Z')).toBe('2026-11-22T02:30:00.000Z');
});

test('a week is one day of it', () => {
  const rhythm = { every: 'week', day: 'Monday', at: '02:30' };
  // 22 November 2026 is a Sunday.
  expect(from(rhythm, '2026-11-22T12:00:00Z')).toBe('2026-11-23T02:30:00.000Z');
  expect(from(rhythm, '2026-11-23T02:29:00Z')).toBe('2026-11-23T02:30:00.000Z');
  expect(from(rhythm, '2026-11-23T02:30:00Z')).toBe('2026-11-30T02:30:00.000Z');
});

describe('when clocks change', () => {
  test('a time that summer time skips is an hour later that day, and back the next', () => {
    // At 02:00 on 28 March 2027 clocks go to 03:00.
    expect(from(night, '2027-03-27T12:00:00Z')).toBe('2027-03-28T01:30:00.000Z');
    expect(from(night, '2027-03-28T01:30:00Z')).toBe('2027-03-29T00:30:00.000Z');
  });

  test('a time that comes twice counts once', () => {
    // At 03:00 on 25 October 2026 clocks go back to 02:00.
    expect(from(night, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(from(night, '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
  });

  test('an hour that comes twice is measured twice', () => {
    const hourly = { every: 'hour', minute: 30, zone: 'Europe/Berlin' };
    expect(from(hourly, '2026-10-25T00:30:00Z')).toBe('2026-10-25T01:30:00.000Z');
    expect(from(hourly, '2026-10-25T01:30:00Z')).toBe('2026-10-25T02:30:00.000Z');
  });
});

test('after the last day there is none', () => {
  expect(from(night, '2026-11-22T00:00:00Z', '2026-11-22')).toBe('2026-11-22T01:30:00.000Z');
  expect(from(night, '2026-11-22T01:30:00Z', '2026-11-22')).toBeNull();
  // Its day, not that of UTC.
  const tokyo = { every: 'night', at: '00:10', zone: 'Asia/Tokyo' };
  expect(from(tokyo, '2026-11-22T00:00:00Z', '2026-11-22')).toBeNull();
});

test('from any moment in any zone, the next time is later, at most one turn away, and nothing is left out between', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', '+05:45'];
  const rhythms: fc.Arbitrary<Rhythm> = fc
    .tuple(
      fc.constantFrom('hour', 'night', 'week'),
      fc.constantFrom(...zones),
      fc.constantFrom(...weekdays),
      fc.nat(23),
      fc.nat(59),
    )
    .map(([every, zone, day, hour, minute]) => {
      const at = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
      if (every === 'hour') return rhythmSchema.parse({ every, minute, zone });
      return rhythmSchema.parse(every === 'night' ? { every, at, zone } : { every, day, at, zone });
    });
  const turns = { hour: 2, night: 24 * 2 + 1, week: 24 * 8 + 1 };
  fc.assert(
    fc.property(rhythms, fc.integer({ min: 0, max: Date.UTC(2100, 0) }), (rhythm, after) => {
      const next = nextTime(rhythm, after, null) ?? Number.NaN;
      expect(next).toBeGreaterThan(after);
      expect(next - after).toBeLessThanOrEqual(turns[rhythm.every] * 3_600_000);
      const middle = Math.floor((after + next) / 2);
      expect(nextTime(rhythm, middle, null)).toBeLessThanOrEqual(next);
      expect(nextTime(rhythm, next - 1, null)).toBe(next);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('every time zone that can be asked for has a next time', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'utc', 'EST', 'GMT', '+05:45', 'Etc/GMT+5'];
  for (const zone of zones)
    expect(from({ every: 'night', zone }, '2026-11-22T00:00:00Z'), zone).not.toBeNull();
});
