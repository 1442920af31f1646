/** Protects the time left of a run: it is what the rules of launches and epochs come to at the pace so far, and only falls. */
import { expect, test } from 'vitest';
import { type RunRequestInput, runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { countDown } from '../../../../shared/measurement/estimate-progress.ts';
import { beforeEpochsS, epochS, launchS } from './plan-duration.ts';
import { planFor } from './plan-for.ts';
import { expectRest, type Position } from './run-phases.ts';
import { longestOf, type SoFar, wantsEpoch, wantsLaunch } from './wants-more.ts';

const origins = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const planOf = (asked: RunRequestInput) => planFor(runRequestSchema.parse(asked), 1);
const plan = planOf({});
const standing = planOf({ target: origins });
const unknown = { transactionMs: 0, epochS: null, startS: null };
const at = (change: Partial<Position> = {}): Position => ({
  ...{ phase: 'measuring', pace: unknown, elapsedS: 0, inPhaseS: 0, inStepS: 0 },
  ...{ launchesDone: 0, epochsDone: 0, longestLaunchS: 0, longestEpochS: 0, launchElapsedS: 0 },
  ...{ isWarm: true, knowsLoad: true, stopsAt: 2 },
  ...change,
});

test('two launches of a first answer are left at its beginning, and what comes before and after them', () => {
  const beginning = at({ phase: 'starting', stopsAt: 2 });
  const { secondsLeft, launches, epochs } = expectRest(plan, beginning);
  expect({ launches, epochs }).toEqual({ launches: 2, epochs: 2 });
  // Start, preflight, warm-up, the epochs with one more start, and the analysis.
  const measuringS = 2 * launchS(plan) - beforeEpochsS(plan);
  expect(secondsLeft).toBeCloseTo(1 + 0.4 + 0.6 * 7 + measuringS + 0.5, 6);
  const unsure = expectRest(plan, { ...beginning, knowsLoad: false }).secondsLeft;
  // Two looks, each of 16 turns of 16 ms on three arms.
  expect(unsure).toBeCloseTo(secondsLeft + 2 * 16 * 3 * 0.016, 6);
});

test('no more launches are left than the time holds', () => {
  const quote = planOf({ length: 'quote' });
  const pace = { ...unknown, epochS: 18, startS: 4 };
  const now = { pace, launchesDone: 3, elapsedS: 120, longestLaunchS: 40, isWarm: false, stopsAt: 20 };
  // Two more end by 204 s, a third would not by 240 s.
  expect(expectRest(quote, at(now)).launches).toBe(5);
  expect(expectRest(quote, at({ ...now, stopsAt: 4 })).launches).toBe(4);
});

test('a run whose headline is known early still has its fewest launches', () => {
  const quote = planOf({ length: 'quote' });
  const now = { elapsedS: 20, launchesDone: 1, longestLaunchS: 13, isWarm: false };
  expect(expectRest(quote, at({ ...now, stopsAt: 1 })).launches).toBe(3);
});

test('nothing but the analysis is left once no launch is wanted', () => {
  const over = { launchesDone: 4, isWarm: false, elapsedS: 24, longestLaunchS: 5 };
  expect(expectRest(plan, at(over))).toEqual({ launches: 4, epochs: 0, secondsLeft: 0.5 });
  expect(expectRest(plan, at({ ...over, phase: 'analyzing', inPhaseS: 0.2 })).secondsLeft).toBeCloseTo(
    0.3,
    9,
  );
});

test('the time left of a target that takes 2 s is known with its first transaction, and counts down', () => {
  const pace = { ...unknown, transactionMs: 2000 };
  const left = (change: Partial<Position>) =>
    expectRest(standing, at({ pace, stopsAt: 4, ...change })).secondsLeft;
  // 2.5 s and a transaction of each arm at load, three transactions of a lone user, and edges.
  const epoch = 8.5 + 6 + 0.2;
  expect(epochS(standing, pace)).toBeCloseTo(epoch, 9);
  expect(left({ phase: 'warm-up', elapsedS: 8, inPhaseS: 6 })).toBeCloseTo(4 * epoch + 0.5, 6);
  for (const seconds of [3, 10, 14]) {
    const now = { elapsedS: 14 + seconds, inPhaseS: seconds, inStepS: seconds };
    expect(left(now)).toBeCloseTo(4 * epoch - seconds + 0.5, 6);
  }
  const known = { pace: { transactionMs: 2000, epochS: 15, startS: null } };
  expect(left({ ...known, elapsedS: 44, inPhaseS: 30, epochsDone: 2, longestEpochS: 15 })).toBeCloseTo(
    30.5,
    6,
  );
});

test('while the first answer has not come, more time is left the longer it is waited for', () => {
  const left = (inPhaseS: number) =>
    expectRest(standing, at({ phase: 'warm-up', elapsedS: inPhaseS, inPhaseS, isWarm: false, stopsAt: 4 }))
      .secondsLeft;
  expect(left(6)).toBeGreaterThan(left(3));
  expect(left(3)).toBeGreaterThan(left(0.1));
});

/** Of a run whose launches and epochs take these seconds, what is shown every second, and when. */
function conduct(asked: RunRequestInput, startS: number, epochsS: number, dead = 0) {
  const runPlan = planOf(asked);
  const isSingle = runPlan.launches.maximum === 1;
  // The headline is known after the fewest launches or epochs.
  const stopsAt = isSingle ? runPlan.epochs.minimum : runPlan.launches.minimum;
  let [elapsedS, sinceS] = [0, 0];
  let [launchFromS, stepFromS] = [0, 0];
  const known = { epochs: [] as number[], starts: [] as number[] };
  const done = { launchesDone: 0, epochsDone: 0, longestLaunchS: 0, longestEpochS: 0 };
  let isWarm = true;
  let shown: ReturnType<typeof countDown> | null = null;
  const told: { elapsedS: number; secondsLeft: number; longerS: number }[] = [];
  const soFar = (): SoFar => ({ ...done, elapsedS, launchElapsedS: elapsedS - launchFromS });
  const meanOf = (values: number[]) =>
    values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length;
  const tell = (phase: Position['phase']) => {
    const { secondsLeft } = expectRest(runPlan, {
      ...at({ phase, isWarm, stopsAt }),
      ...soFar(),
      pace: { transactionMs: 1, epochS: meanOf(known.epochs), startS: meanOf(known.starts) },
      ...{ inPhaseS: elapsedS, inStepS: elapsedS - stepFromS },
    });
    shown = countDown(shown, secondsLeft, sinceS);
    sinceS = 0;
    told.push({ elapsedS, secondsLeft: shown.secondsLeft, longerS: shown.longerS });
  };
  const pass = (seconds: number, phase: Position['phase']) => {
    for (let left = seconds; left > 0; left -= 1) {
      const stepS = Math.min(1, left);
      elapsedS += stepS;
      sinceS += stepS;
      tell(phase);
    }
  };
  tell('starting');
  pass(3 + dead, 'warm-up');
  for (
    let launch = 0;
    launch === 0 || wantsLaunch(runPlan, soFar(), done.launchesDone >= stopsAt);
    launch++
  ) {
    stepFromS = elapsedS;
    if (launch > 0) pass(startS, 'measuring');
    if (launch > 0) known.starts.push(startS);
    isWarm = true;
    stepFromS = elapsedS;
    while (wantsEpoch(runPlan, soFar(), isSingle && done.epochsDone >= stopsAt)) {
      pass(epochsS, 'measuring');
      known.epochs.push(epochsS);
      done.epochsDone++;
      done.longestEpochS = epochsS;
      stepFromS = elapsedS;
    }
    done.launchesDone++;
    done.longestLaunchS = longestOf(soFar());
    Object.assign(done, { epochsDone: 0, longestEpochS: 0 });
    [launchFromS, stepFromS, isWarm] = [elapsedS, elapsedS, false];
    tell('measuring');
  }
  return told;
}

const cases: [string, RunRequestInput, number, number][] = [
  ['as planned', {}, 2.2, 2.5],
  ['half as fast', {}, 4.4, 5],
  ['at twice the speed', {}, 2.6, 1.3],
  ['with a server that starts at once', { target: 'nginx' }, 0.9, 1.5],
  ['with a server on a busy machine', { target: 'nginx' }, 3.5, 2.6],
  ['quote', { length: 'quote' }, 3, 5.2],
  ['quote, on a busy machine', { length: 'quote', target: 'nginx' }, 6, 7],
  ['on a target that stands already', { target: origins }, 0, 3.1],
  ['fine', { length: 'fine' }, 4.2, 8.5],
];

test.each(cases)(
  'of a run %s the time left only falls, never stands still, and ends near zero',
  (_, ...run) => {
    const told = conduct(...run);
    const seconds = told.map(({ secondsLeft }) => secondsLeft);
    for (const [index, { secondsLeft, longerS, elapsedS }] of told.entries()) {
      const before = told[index - 1];
      if (before === undefined || longerS > before.longerS) continue;
      expect(secondsLeft).toBeLessThanOrEqual(before.secondsLeft);
      if (elapsedS - before.elapsedS >= 1 && before.secondsLeft > 5)
        expect(before.secondsLeft - secondsLeft).toBeGreaterThan(0.2);
    }
    expect(seconds.at(-1)).toBeLessThan(2.5);
  },
);

test('a plan that grows says so once, by about as much as it has grown', () => {
  const told = conduct({ target: origins }, 0, 14);
  expect(told.at(-1)?.longerS).toBeGreaterThan(20);
  const rises = told.filter(({ secondsLeft }, index) => secondsLeft > (told[index - 1]?.secondsLeft ?? 1e9));
  expect(rises.length).toBeLessThanOrEqual(2);
});
