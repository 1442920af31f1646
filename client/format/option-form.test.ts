/** Protects the two columns of a preflight report: which listener each of them is about. */

import { describe, expect, test } from 'vitest';
import { sidesOfPair } from '../../shared/base/transport.ts';
import type { Check, PreflightReport } from '../../shared/target/preflight.ts';
import {
  keepUnits,
  printAgo,
  printClock,
  printCount,
  printDuration,
  printTimeLeft,
  printWhen,
} from './printed-figures.ts';
import { checkColumns, sidesOf } from './sides.ts';

const side = { checks: [], responses: [], tls: null, pid: null };

test('a report becomes two columns, called by what they speak and where they were found, without options', () => {
  const message = 'Give the authority (--ca), or trust it (--trust AB:CD).';
  const checks: Check[] = [{ id: 'certificate', title: 'Certificate', status: 'fail', message }];
  const report: PreflightReport = {
    ok: false,
    problem: 'Nobody listens.',
    sides: {
      baseline: { ...side, transport: 'http', origin: 'http://127.0.0.1:8080', address: '127.0.0.1' },
      comparison: { ...side, transport: 'https', origin: 'https://localhost:8443', address: null, checks },
    },
  };
  const [baseline, comparison] = checkColumns(report);
  expect([baseline.side.label, baseline.subtitle]).toEqual(['HTTP', 'http://127.0.0.1:8080 at 127.0.0.1']);
  expect([comparison.side.label, comparison.subtitle]).toEqual(['HTTPS', 'https://localhost:8443']);
  expect(comparison.checks.map(({ message }) => message)).toEqual(['Give the authority, or trust it.']);
});

/** Protects the looks of the sides: a transport keeps its color, line and mark wherever it stands. */

test('HTTP is blue, solid and round; HTTPS is vermillion, dashed and a diamond', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'https']));
  expect(baseline).toMatchObject({ label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' });
  expect(comparison).toMatchObject({ label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' });
});

test('a transport keeps its looks when the sides are swapped', () => {
  expect(sidesOf(sidesOfPair(['https', 'http'])).baseline).toMatchObject({
    label: 'HTTPS',
    color: '#D55E00',
    dashed: true,
  });
});

test('a listener and its twin can be told apart, and neither looks like the other transport', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'http']));
  expect([baseline.label, comparison.label]).toEqual(['HTTP A', 'HTTP B']);
  expect(comparison.color).not.toBe(baseline.color);
  expect(comparison.color).not.toBe('#D55E00');
});

test('two sides that are encrypted differ in more than their color', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['https', 'h2']));
  expect(baseline).toMatchObject({ color: '#D55E00', marker: 'circle', dashed: false });
  expect(comparison).toMatchObject({ color: '#8A63B5', marker: 'diamond', dashed: true });
});

/** Protects durations and times left as they are read: rounded to what they deserve. */

test.each([
  [0, '0 s'],
  [40.4, '40 s'],
  [60, '1 min'],
  [80, '1 min 20 s'],
  [600, '10 min'],
  [3600, '1 h'],
  [3900, '1 h 5 min'],
])('%d seconds read as %s', (seconds, text) => {
  expect(printDuration(seconds)).toBe(text);
});

describe('time left', () => {
  test('is rounded to what a guess deserves', () => {
    expect(printTimeLeft(41.7)).toBe('about 42 s left');
    expect(printTimeLeft(12.4)).toBe('about 12 s left');
    expect(printTimeLeft(170)).toBe('about 2 min 50 s left');
  });
  test('never says zero while the run goes on', () => {
    expect(printTimeLeft(0)).toBe('a moment left');
  });
});

/** Protects counts from wrong plurals. */

test('one is singular, everything else plural', () => {
  expect(printCount(0, 'block')).toBe('0 blocks');
  expect(printCount(1, 'block')).toBe('1 block');
  expect(printCount(3, 'launch')).toBe('3 launches');
  expect(printCount(3, 'epoch')).toBe('3 epochs');
  expect(printCount(12_345, 'entry', 'entries')).toBe('12,345 entries');
});

/** Protects that a line does not break between a figure and its unit. */

test('a figure keeps its unit, and nothing else is joined', () => {
  expect(keepUnits('costs 51 µs, +12 % (10 to 15 %) of 2 cores in 3 steps')).toBe(
    'costs 51\u00a0µs, +12\u00a0% (10 to 15\u00a0%) of 2\u00a0cores in 3 steps',
  );
});

/** Protects the age of a measurement as it is read. */

const now = Date.UTC(2026, 10, 21, 12, 0);

test.each([
  [20_000, 'just now'],
  [5 * 60_000, '5 min ago'],
  [59 * 60_000, '59 min ago'],
  [3 * 3_600_000, '3 h ago'],
])('%d ms ago reads as %s', (age, text) => {
  expect(printAgo(now - age, now)).toBe(text);
});

test('what is older than a day is a date', () => {
  const then = now - 3 * 86_400_000;
  expect(printAgo(then, now)).toBe(printWhen(then));
  expect(printWhen(then)).toContain('2026');
});

test('below its day a moment is a time', () => {
  expect(printClock(new Date(2026, 10, 21, 9, 5).getTime())).toBe('09:05');
});
