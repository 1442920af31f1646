/** Protects what is said of a question asked again: spreads, held intervals, wrk beside it, and each figure against its bound. */
import { expect, test } from 'vitest';
import { printRepeat, tallyRepeat } from './repeat-tally.ts';
import {
  type RepeatMachine,
  type RepeatTarget,
  type Repetition,
  readSaid,
  saysNothing,
} from './repetition.ts';

type Asked = {
  /** Log ratio, in percent, and what was printed on either side of it; null for a run without an interval. */
  ours: number | null;
  halfWidth?: number;
  /** CPU over HTTP, µs. */
  cost?: number;
  wrk?: number;
  target?: RepeatTarget;
  machine?: RepeatMachine;
  run?: Partial<Repetition['run']>;
};

const at = '2026-11-24T10:00:00Z';
const ratioOf = (percent: number) => Math.exp(percent / 100);

function repetition({ ours, halfWidth = 2, cost = 25, wrk, run, ...place }: Asked): Repetition {
  const { target = 'standing', machine = 'quiet' } = place;
  const exact = (center: number) => ({ center, lo: center, hi: center });
  const shown =
    ours === null
      ? saysNothing.metrics.cpu_at_load
      : {
          ratio: { center: ratioOf(ours), lo: ratioOf(ours - halfWidth), hi: ratioOf(ours + halfWidth) },
          delta: exact(cost * (ratioOf(ours) - 1)),
          baseline: exact(cost),
        };
  const window = (us: number) => ({ requests: 1000, perS: 1000, cpuUs: 1000 * us });
  return {
    ...{ target, machine },
    run: {
      ...{
        at,
        loadAverage: 0.1,
        id: 'x',
        users: 8,
        verdictS: 19,
        endS: 22,
        firstIntervalS: 7,
        measuredS: 12,
      },
      ...{ oursOver: null, decided: ours !== null, said: '' },
      metrics: { cpu_at_load: shown, throughput: shown, latency_p50: shown },
      ...run,
    },
    pair:
      wrk === undefined
        ? null
        : {
            ...{ at, seconds: 6, connections: 8, steps: 2, baseline: window(10) },
            comparison: window(10 * ratioOf(wrk)),
          },
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

const cpu = 'CPU per transaction';
const spread = `${cpu}, HTTPS against HTTP: sd`;

test('the spread of the headline is judged in percent of the ratio, more of it on a busy machine', () => {
  const of = (machine: RepeatMachine, far: number) =>
    rowOf(
      [35 - far, 35, 35 + far].map((ours) => repetition({ ours, machine })),
      spread,
      'standing',
      machine,
    );
  expect(of('quiet', 1.9)).toMatchObject({ ours: { value: expect.closeTo(1.9, 9) }, atMost: 2, held: true });
  expect(of('quiet', 2.1).held).toBe(false);
  expect(of('busy', 2.9)).toMatchObject({ atMost: 3, held: true });
});

test('the spread of the difference may be that of the HTTP cost, and on nginx a tenth of the mean at most', () => {
  const of = (target: RepeatTarget, far: number) =>
    rowOf(
      [1 - far, 1, 1 + far].map((share) =>
        repetition({ ours: 100 * Math.log(1.5), cost: 20 * share, target }),
      ),
      `${cpu}, HTTPS less HTTP: sd, of its mean`,
      target,
    );
  expect(of('button', 0.2)).toMatchObject({
    ours: { value: expect.closeTo(20, 6) },
    atMost: expect.closeTo(20, 6),
  });
  expect(of('managed', 0.2)).toMatchObject({ atMost: 10, held: false });
  expect(of('managed', 0.05)).toMatchObject({ atMost: expect.closeTo(5, 6) });
});

test('an interval is held against the mean of the other runs, not against its own center', () => {
  // The mean of all is 37; that of the others is 35 for the last one, which its ±2 does not reach.
  const asked = [35, 35, 35, 43].map((ours) => repetition({ ours, halfWidth: 2 }));
  expect(rowOf(asked, `${cpu}: intervals that hold the mean of the others`).ours?.value).toBe(0);
  const closer = [35, 35, 35, 36].map((ours) => repetition({ ours, halfWidth: 2 }));
  expect(rowOf(closer, `${cpu}: intervals that hold the mean of the others`).ours?.value).toBe(4);
});

test('over all questions nine intervals of ten have to hold, and a run without one holds nothing', () => {
  const held = (without: number) =>
    rowOf(
      (['button', 'managed'] as const).flatMap((target) =>
        Array.from({ length: 20 }, (_, index) =>
          repetition({ target, ours: target === 'managed' && index < without ? null : 35 + (index % 2) }),
        ),
      ),
      `${cpu}: intervals that hold the mean of the others`,
      'all',
      'both',
    );
  expect(held(4)).toMatchObject({ ours: { value: 36, of: 40 }, atLeast: 36, held: true });
  expect(held(5).held).toBe(false);
  // Clopper and Pearson's bounds of 36 of 40, in runs.
  expect(held(4).ours?.interval?.[0]).toBeCloseTo(40 * 0.7634, 1);
});

test('means agree with wrk’s where their intervals meet, in percent and per transaction', () => {
  const of = (wrk: number, figure: string) =>
    rowOf(
      [-1, 0, 1].map((step) => repetition({ ours: 35 + step, cost: 20, wrk: wrk + 2 * step })),
      figure,
    );
  const apart = `${cpu}, HTTPS against HTTP: our mean less wrk’s`;
  // Student's 95 % with two degrees of freedom is 4.3027 standard errors.
  const reach = (4.3027 * (1 + 2)) / Math.sqrt(3);
  expect(of(36, apart)).toMatchObject({
    ours: { value: expect.closeTo(-1, 9) },
    atMost: expect.closeTo(reach, 3),
  });
  expect(of(44, apart).held).toBe(false);
  // Two requests of 10 µs are a transaction of 20.
  expect(of(35, `${cpu}, HTTP: mean`)).toMatchObject({ ours: { value: 20 }, wrk: { value: 20 } });
  expect(of(35, 'HTTPS less HTTP: mean').wrk?.value).toBeCloseTo(20 * 0.419, 1);
});

test('quiet and busy means may lie 3 % apart, in either direction', () => {
  const of = (shift: number) =>
    rowOf(
      [34.5, 35.5].flatMap((ours) => [
        repetition({ ours }),
        repetition({ ours: ours + shift, machine: 'busy' }),
      ]),
      `${cpu}, HTTPS against HTTP: mean`,
      'standing',
      'busy less quiet',
    );
  expect(of(2.9).held).toBe(true);
  expect(of(-3.1)).toMatchObject({ ours: { value: expect.closeTo(-3.1, 9) }, held: false });
});

test('nineteen of twenty clicks have to decide on a quiet machine, and a part of them in proportion', () => {
  const of = (count: number, undecided: number, machine: RepeatMachine) =>
    rowOf(
      Array.from({ length: count }, (_, index) =>
        repetition({ ours: 35, target: 'button', machine, run: { decided: index >= undecided } }),
      ),
      'decided',
      'button',
      machine,
    );
  expect(of(20, 1, 'quiet')).toMatchObject({ ours: { value: 19, of: 20 }, atLeast: 19, held: true });
  expect(of(20, 2, 'quiet').held).toBe(false);
  expect(of(8, 2, 'busy')).toMatchObject({ atLeast: 6, held: true });
});

test('times have the bounds of their question on a quiet machine, and what a document does not say is n/a', () => {
  const asked = [
    repetition({ ours: 35, target: 'button', run: { verdictS: 29, firstIntervalS: 11, measuredS: 14 } }),
    repetition({ ours: 35, target: 'button', run: { verdictS: 33, firstIntervalS: null, measuredS: null } }),
  ];
  const of = (figure: string) => rowOf(asked, figure, 'button');
  expect(of('time to the verdict, median')).toMatchObject({
    ours: { value: 31, interval: [29, 33] },
    held: false,
  });
  expect(of('time to the first interval, median')).toMatchObject({ ours: { value: 11, of: 1 }, held: true });
  expect(of('measured, median')).toMatchObject({ ours: { value: expect.closeTo(48.3, 1) }, held: false });
  expect(of('windows in which ours is over 2 %')).toMatchObject({ ours: null, held: null });
  const text = printRepeat(tallyRepeat(asked), asked);
  expect(text).toMatch(/quiet +button +8 +0\.1 +29\.0 s +25\.0 µs \+41\.91 % \(\+39\.10 to \+44\.77\)/);
  expect(text).toMatch(/windows in which ours is over 2 % +n\/a +≤ 0 *$/m);
});

test('of a document, what it says counts, and what it does not say is left open', () => {
  const bare = {
    state: 'refused',
    verdict: null,
    problem: { detail: 'Too disturbed.' },
    metrics: [],
    blocks: [],
  };
  expect(readSaid(bare)).toEqual({ ...saysNothing, said: 'Too disturbed.' });
  const ratio = { center: 1.15, lo: 1.1, hi: 1.2 };
  const windows = [
    { elapsedMs: 900, oursRatio: 0.03 },
    { elapsedMs: 1100, oursRatio: 0.01 },
    { elapsedMs: 500 },
  ];
  const whole = {
    ...{ ...bare, state: 'finished', problem: null, atLoad: { users: 16, burstMs: 15 } },
    verdict: { outcome: 'overhead' },
    metrics: [{ id: 'cpu_at_load', ratio, delta: null, baseline: null, outcome: 'overhead' }],
    blocks: [{ kind: 'maximum', windows }],
  };
  expect(readSaid(whole)).toMatchObject({
    ...{ users: 16, measuredS: 2.5, oursOver: { windows: 1, of: 2 }, decided: true, said: 'overhead' },
    metrics: { cpu_at_load: { ratio }, throughput: { ratio: null } },
  });
});
