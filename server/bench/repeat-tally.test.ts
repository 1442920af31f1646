/** Protects what is said of a question asked again: spreads, held intervals, and each figure against its bound. */
import { expect, test } from 'vitest';
import { printRepeat } from './print-repeat.ts';
import { tallyRepeat } from './repeat-tally.ts';
import type { RepeatMachine, RepeatTarget, Repetition } from './repetition.ts';

type Shown = {
  /** Log ratio, in percent, and what was printed on either side of it; null for a run without an interval. */
  ours: number | null;
  halfWidth?: number;
  wrk?: number;
  target?: RepeatTarget;
  machine?: RepeatMachine;
  seconds?: number;
  firstIntervalS?: number | null;
};

const at = '2026-11-24T10:00:00Z';
const ratioOf = (percent: number) => Math.exp(percent / 100);

function repetition({ ours, halfWidth = 2, wrk, ...place }: Shown): Repetition {
  const { target = 'standing', machine = 'quiet', seconds = 19, firstIntervalS = 7 } = place;
  const ratio =
    ours === null
      ? null
      : { center: ratioOf(ours), lo: ratioOf(ours - halfWidth), hi: ratioOf(ours + halfWidth) };
  const all = <Value>(value: Value) => ({ cpu_at_load: value, latency_p50: value, throughput: value });
  return {
    ...{ target, machine },
    run: { ...{ id: 'x', at, seconds, firstIntervalS, users: 8, said: '' }, ratios: all(ratio) },
    pair: wrk === undefined ? null : { at, seconds, baseline: all(10), comparison: all(10 * ratioOf(wrk)) },
  };
}

function rowOf(repetitions: readonly Repetition[], figure: string, target = 'standing', machine = 'quiet') {
  const rows = tallyRepeat(repetitions);
  const found = rows.find(
    (row) => row.target === target && row.machine === machine && row.figure.endsWith(figure),
  );
  if (found === undefined) throw new Error(`no row ${figure} of ${rows.map((row) => row.figure).join('; ')}`);
  return found;
}

const cpu = 'Server CPU per transaction at load';

test('the spread of the headline is judged in percent of the ratio, more of it on a busy machine', () => {
  const of = (machine: RepeatMachine, far: number) =>
    rowOf(
      [35 - far, 35, 35 + far].map((ours) => repetition({ ours, machine })),
      `${cpu}: spread (sd)`,
      'standing',
      machine,
    );
  expect(of('quiet', 0.9)).toMatchObject({ value: expect.closeTo(0.9, 9), atMost: 1, held: true });
  expect(of('quiet', 1.1).held).toBe(false);
  expect(of('busy', 2.4)).toMatchObject({ atMost: 2.5, held: true });
});

test('an interval is held against the mean of the other runs, not against its own center', () => {
  // The mean of all is 37; that of the others is 35 for the last one, which its ±2 does not reach.
  const shown = [35, 35, 35, 43].map((ours) => repetition({ ours, halfWidth: 2 }));
  expect(rowOf(shown, `${cpu}: intervals that hold the mean of the others`).value).toBe(0);
  const closer = [35, 35, 35, 36].map((ours) => repetition({ ours, halfWidth: 2 }));
  expect(rowOf(closer, `${cpu}: intervals that hold the mean of the others`).value).toBe(4);
});

test('over all targets 55 of 60 intervals have to hold, and a run without one holds nothing', () => {
  const targets = ['standing', 'managed', 'storefront'] as const;
  const asked = (without: number) =>
    targets.flatMap((target) =>
      Array.from({ length: 20 }, (_, index) =>
        repetition({ target, ours: target === 'managed' && index < without ? null : 35 + (index % 2) }),
      ),
    );
  const held = (without: number) =>
    rowOf(asked(without), 'intervals that hold the mean of the others', 'all');
  expect(held(5)).toMatchObject({ value: 55, runs: 60, atLeast: 55, held: true });
  expect(held(6)).toMatchObject({ value: 54, held: false });
  // Clopper and Pearson's bounds of 55 of 60, in runs.
  expect(held(5).interval?.[0]).toBeCloseTo(60 * 0.8161, 1);
});

test('a half-width may be as wide as the runs themselves lie apart', () => {
  const of = (far: number, halfWidth: number) =>
    rowOf(
      [35 - far, 35, 35 + far].map((ours) => repetition({ ours, halfWidth })),
      `${cpu}: printed half-width, median`,
    );
  expect(of(0.5, 3.5)).toMatchObject({ atMost: 3, held: false });
  expect(of(2, 3.5)).toMatchObject({ atMost: expect.closeTo(5, 9), held: true });
});

test('wrk’s spread is divided by ours, and means agree where their intervals meet', () => {
  const shown = [-1, 0, 1].map((step) => repetition({ ours: 35 + 0.5 * step, wrk: 36 + 5 * step }));
  expect(rowOf(shown, `wrk, ${cpu}: its spread ÷ ours`)).toMatchObject({
    ...{ value: expect.closeTo(10, 6), atLeast: 6, held: true },
  });
  const apart = 'our mean less its mean';
  expect(rowOf(shown, `wrk, ${cpu}: ${apart}`)).toMatchObject({ value: expect.closeTo(-1, 9), held: true });
  const elsewhere = [-1, 0, 1].map((step) => repetition({ ours: 35 + 0.5 * step, wrk: 60 + 5 * step }));
  expect(rowOf(elsewhere, `wrk, ${cpu}: ${apart}`).held).toBe(false);
});

test('quiet and busy means may lie 3 % apart, in either direction', () => {
  const of = (shift: number) =>
    rowOf(
      [34.5, 35.5].flatMap((ours) => [
        repetition({ ours }),
        repetition({ ours: ours + shift, machine: 'busy' }),
      ]),
      `${cpu}: mean beside two busy loops less quiet mean`,
      'standing',
      'busy against quiet',
    );
  expect(of(2.9).held).toBe(true);
  expect(of(-3.1)).toMatchObject({ value: expect.closeTo(-3.1, 9), held: false });
});

test('times have the bounds of their target on a quiet machine, and a run without a first interval is not counted there', () => {
  const shown = [
    repetition({ ours: 35, target: 'storefront', seconds: 29, firstIntervalS: 11 }),
    repetition({ ours: 35, target: 'storefront', seconds: 33, firstIntervalS: null }),
  ];
  expect(rowOf(shown, 'from click to verdict, median', 'storefront')).toMatchObject({
    ...{ value: 31, atMost: 30, held: false, interval: [29, 33] },
  });
  expect(rowOf(shown, 'first interval after, median', 'storefront')).toMatchObject({
    ...{ value: 11, runs: 1, atMost: 12, held: true },
  });
});

test('a single run has no spread, and the report says so instead of judging', () => {
  const shown = [repetition({ ours: 35, wrk: 36 })];
  const text = printRepeat(tallyRepeat(shown), shown);
  expect(text).toContain('quiet, standing, Server CPU per transaction at load: +41.9 % (39.1 to 44.8)');
  expect(text).toContain('quiet, standing, Server CPU per transaction at load, by wrk: +43.3 %');
  expect(text).toMatch(/spread \(sd\) +not measured +≤ 1\.00 *$/m);
  expect(text).toMatch(/from click to verdict, median +19 s +≤ 20 +held$/m);
});
