/** Protects what lists say of a schedule: when it measures next, when it ends, and why the last time was skipped. */
import { expect, test } from 'vitest';
import { describeProblem } from '../../shared/base/problem.ts';
import type { Schedule } from '../../shared/results/schedule.ts';
import { lastProblem, lookOfSchedule, scheduleDetails } from './schedule-line.ts';

const at = new Date(2026, 10, 23, 2, 30).getTime();
const schedule: Schedule = {
  ...{ id: 'x'.repeat(22), kind: 'comparison', title: 'Search', times: null, lastDay: null, labels: {} },
  rhythm: { every: 'night', at: '02:30', zone: 'Europe/Berlin' },
  ...{ state: 'on', nextAt: at, measured: 1, last: null },
};
const detail = 'TLS Toll was not running at the scheduled time.';
const skipped = { at, measurement: null, problem: describeProblem('repeat_skipped', { detail }) };

test('one without an end', () => {
  expect(scheduleDetails(schedule)).toEqual([
    ...['Every night at 02:30 (Europe/Berlin)', 'next 23 Nov 2026, 02:30', 'measured 1 time'],
  ]);
  expect([lookOfSchedule(schedule).word, lastProblem(schedule)]).toEqual(['On', null]);
});

test('one with two ends, which is paused', () => {
  const paused: Schedule = { ...schedule, times: 30, lastDay: '2026-12-31', state: 'paused', nextAt: null };
  expect(scheduleDetails(paused).slice(1)).toEqual(['measured 1 of 30 times', 'until 2026-12-31']);
  expect(lookOfSchedule(paused).word).toBe('Paused');
});

test('one whose last time was skipped says why', () => {
  const late: Schedule = { ...schedule, last: skipped };
  expect(lastProblem(late)).toBe(`Not measured on 23 Nov 2026, 02:30: ${detail}`);
  expect(lookOfSchedule(late).word).toBe('Skipped last time');
  expect(lookOfSchedule({ ...late, state: 'ended' }).word).toBe('Ended');
});
