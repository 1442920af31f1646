/** Protects the days of a list: their names, their edges, and their order. */
import { expect, test } from 'vitest';
import { groupByDay } from './by-day.ts';

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
