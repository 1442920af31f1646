/** Protects that the application's time is read as a browser reads it, whatever else the field lists. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readApplicationTime } from './head-bytes.ts';

function timeOf(field: string): number {
  const bytes = Buffer.from(`Server-Timing:${field}\r\n`, 'latin1');
  return readApplicationTime(bytes, 14, bytes.length - 2);
}

test.each<[field: string, us: number]>([
  [' app;dur=1.25', 1250],
  ['app;dur=7', 7000],
  ['App ; Dur = 2', 2000],
  ['db;dur=9, app;dur=2', 2000],
  ['app;desc="Rails, all of it; dur=9";dur=2', 2000],
  ['app;dur=2;desc="a \\"quoted\\" name"', 2000],
  ['app;dur="2.0"', 2000],
  ['app;dur="\\2.5"', 2500],
  ['app;dur=1e3', 1_000_000],
  ['app;dur=2.5E-1', 250],
  ['app;dur=.5', 500],
  ['app;dur=2;dur=9', 2000],
  ['app;dur=2, app;dur=9', 2000],
  ['app;desc=x, app;dur=2', 2000],
  [',, app;;dur=2,', 2000],
  ['cache;desc="app;dur=7", app;dur=2', 2000],
  ['app;dur=0', 0],
])('%s is %d µs', (field, us) => {
  expect(timeOf(field)).toBeCloseTo(us, 9);
});

test.each([
  '',
  'app',
  'app;dur',
  'app;dur=',
  'app;dur=""',
  'webapp;dur=91.5',
  'app2;dur=2',
  'x-app;dur=2',
  '"app";dur=2',
  'app;duration=2',
  'db;app;dur=2',
  'app=dur;2',
  'app;dur=-5',
  'app;dur=NaN',
  'app;dur=Infinity',
  'app;dur=1e999',
  'app;dur=86400001',
  'app;dur=.',
  'app;desc="dur=2',
  'app, dur=2',
])('%s has no time of the application', (field) => {
  expect(timeOf(field)).toBe(-1);
});

test('a number is read the same alone and in a list', () => {
  const written = fc.tuple(fc.nat(99_999), fc.constantFrom('', '.', '.0', '.25', '.003', '.1.2', 'x'));
  fc.assert(
    fc.property(written, ([whole, rest]) => {
      expect(timeOf(`app;dur=${whole}${rest}`)).toBeCloseTo(timeOf(`db, app;dur=${whole}${rest}`), 6);
    }),
  );
});

test('a field of 256 kB without an end to its strings takes one pass', () => {
  expect(timeOf('"\\'.repeat(128_000))).toBe(-1);
  expect(timeOf(`${'"",'.repeat(85_000)}app;dur=2`)).toBe(2000);
});
