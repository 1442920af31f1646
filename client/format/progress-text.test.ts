/** Protects what a live page says of its progress, and of what canceling keeps. */

import { expect, test } from 'vitest';
import type { ProgressEvent } from '../../shared/measurement/measurement.ts';
import { groupByDay, keptText, progressText, queueText } from './progress-text.ts';

const progress: ProgressEvent = {
  ...{ type: 'progress', phase: 'measuring', fraction: 0.5, secondsLeft: 41 },
  counts: [{ of: 'round', done: 7, planned: 12 }],
};
const rounds: ProgressEvent = {
  ...progress,
  counts: [
    { of: 'round', done: 1, planned: 20 },
    { of: 'combination', done: 3, planned: 38 },
  ],
};

test('the text has every count, and the time left', () => {
  expect(progressText(progress)).toBe('Round 8 of 12, about 41 s left');
  expect(progressText({ ...rounds, secondsLeft: null })).toBe('Round 2 of 20, combination 4 of 38');
  expect(progressText({ ...progress, counts: [], secondsLeft: null })).toBe('Starting');
  expect(progressText(null)).toBe('Starting');
});

test('a plan that has grown says by how much', () => {
  expect(progressText({ ...progress, longerS: 75 })).toBe(
    'Round 8 of 12, about 41 s left, 1 min 15 s longer than planned',
  );
});

const launches: ProgressEvent = {
  ...progress,
  counts: [
    { of: 'start', done: 0, planned: 3 },
    { of: 'repetition', done: 2, planned: 4 },
  ],
};

test('launches are counted before the epochs of the one under way', () => {
  expect(progressText(launches)).toBe('Start 1 of 3, repetition 3 of 4, about 41 s left');
});

test('a part that has but one part is counted alone', () => {
  const single = [
    { of: 'start', done: 1, planned: 4 },
    { of: 'repetition', done: 0, planned: 1 },
  ];
  expect(progressText({ ...progress, counts: single })).toBe('Start 2 of 4, about 41 s left');
});

test('the requests of a warm-up are counted, and are nothing to keep', () => {
  const warming = [
    { of: 'start', done: 0, planned: 4 },
    { of: 'repetition', done: 0, planned: 2 },
    { of: 'warm-up request', done: 1206, planned: 1500 },
  ];
  expect(progressText({ ...progress, counts: warming })).toMatch(/ 1,206 of 1,500 warm-up requests, about/);
  expect(keptText({ ...progress, counts: warming })).toBe('Nothing has been measured yet.');
});

test('as many are planned as are done, at least', () => {
  const more = { ...progress, counts: [{ of: 'round', done: 14, planned: 12 }] };
  expect(progressText(more)).toMatch(/^14 rounds, about/);
});

test('what can be kept is counted in the widest unit with a finished part', () => {
  expect(keptText(rounds)).toMatch(/^1 round measured so far\./);
  expect(keptText(launches), 'the first start is still under way').toMatch(
    /^2 repetitions measured so far\./,
  );
  expect(keptText(null)).toBe('Nothing has been measured yet.');
});

test('the place in the queue is in words', () => {
  expect([1, 2, null].map(queueText)).toEqual([
    'Next in the queue.',
    'Number 2 in the queue.',
    'In the queue.',
  ]);
});

/** Protects the days of a list: their names, their edges, and their order. */

const at = (day: number, hour: number, minute = 0) => ({
  createdAt: new Date(2026, 10, day, hour, minute).getTime(),
});
const now = at(22, 0, 30).createdAt;

test('days are called by what they are to the reader, and a list keeps its order', () => {
  const items = [at(22, 0, 29), at(22, 0), at(21, 23, 59), at(21, 0), at(20, 23, 59)];
  const days = groupByDay(items, now);
  expect(days.map(({ title, isToday, items: of }) => [title, isToday, of.length])).toEqual([
    ['Today', true, 2],
    ['Yesterday', false, 2],
    [expect.stringMatching(/^Friday,? 20 November 2026$/), false, 1],
  ]);
  expect(days.flatMap(({ items: of }) => of)).toEqual(items);
});

test('the same day of another year is another day', () => {
  const years = [2026, 2025].map((year) => ({ createdAt: new Date(year, 10, 22, 0, 10).getTime() }));
  expect(groupByDay(years, now).map(({ title }) => title)).toEqual([
    'Today',
    expect.stringMatching(/^Saturday,? 22 November 2025$/),
  ]);
});

test('no items have no days', () => {
  expect(groupByDay([], now)).toEqual([]);
});
