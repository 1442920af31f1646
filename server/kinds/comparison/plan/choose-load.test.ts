/** Protects which load cost is read at: the server’s limit on both sides, or one rate that both reach. */
import { describe, expect, test } from 'vitest';
import { sideNames } from '../../../../shared/base/transport.ts';
import { bringsMuch, chooseLoad, stillFits } from './choose-load.ts';
import { joinLooks, slowerPerS, type Trial } from './trial.ts';

type Sides = { baseline: number; comparison: number };

/** Four bursts a side, each a little off. */
function trial(
  users: number,
  perS: Sides,
  {
    busyCores,
    generatorShare = 0.5,
    noise = 0.01,
    othersShare = 0.02,
  }: { busyCores?: Sides; generatorShare?: number; noise?: number; othersShare?: number | null } = {},
): Trial {
  return {
    users,
    othersShare,
    bursts: sideNames.map((side) =>
      [1, -1, 1, -1].map((sign) => ({
        perS: perS[side] * (1 + sign * noise),
        busyCores: busyCores === undefined ? null : busyCores[side] * (1 + sign * noise),
        generatorShare,
      })),
    ),
  };
}

const busy = { busyCores: { baseline: 0.97, comparison: 0.98 } };
const half = { busyCores: { baseline: 0.5, comparison: 0.52 } };
const fast = { baseline: 40_000, comparison: 28_000 };
const times = ({ baseline, comparison }: Sides, factor: number) => ({
  baseline: baseline * factor,
  comparison: comparison * factor,
});

describe('as fast as both sides can', () => {
  test('is chosen at once where the server uses its cores up', () => {
    expect(chooseLoad([trial(8, fast, busy)], 1, 128)).toEqual({
      ...{ double: false, users: 8, ratePerS: null, reason: null },
    });
  });

  test('is chosen where twice the users bring less than 15 % more, with the fewer users', () => {
    const choice = chooseLoad([trial(8, fast, half), trial(16, times(fast, 1.13), busy)], 2, 128);
    expect(choice).toMatchObject({ double: false, users: 8, ratePerS: null });
  });

  test('is chosen where a rise is no more than noise', () => {
    const wild = { ...half, noise: 0.4 };
    const choice = chooseLoad([trial(8, fast, wild), { ...trial(16, times(fast, 1.3), half) }], 2, 128);
    expect(choice).toMatchObject({ double: false, users: 8 });
  });

  test('is chosen for a server whose CPU is not known, once more users bring no more', () => {
    expect(chooseLoad([trial(8, fast)], null, 128)).toEqual({ double: true });
    expect(chooseLoad([trial(8, fast), trial(16, fast)], null, 128)).toMatchObject({ ratePerS: null });
  });

  test('is chosen for as many users as were asked for, where there may be no more', () => {
    expect(chooseLoad([trial(5000, fast, half)], 2, 5000)).toMatchObject({ users: 5000, ratePerS: null });
  });
});

test('users are doubled while they bring more', () => {
  expect(chooseLoad([trial(8, fast, half), trial(16, times(fast, 1.3), half)], 2, 128)).toEqual({
    double: true,
  });
});

describe('one rate for both sides', () => {
  const byGenerator = { ...half, generatorShare: 0.85 };

  test.each([
    [28_000, 15_000],
    [30_000, 22_000],
    [43, 22],
    [1.1, 1],
  ])('of %i/s by the slower one is %i/s, where the generator is the limit', (comparison, ratePerS) => {
    const choice = chooseLoad([trial(8, { baseline: 40_000, comparison }, byGenerator)], 2, 128);
    expect(choice).toEqual({ double: false, users: 8, ratePerS, reason: 'generator' });
  });

  test('is not chosen for a busy generator where the server is nearly used up', () => {
    const nearly = { busyCores: { baseline: 0.8, comparison: 0.82 }, generatorShare: 0.85 };
    expect(chooseLoad([trial(8, fast, nearly)], 1, 128)).toMatchObject({ users: 8, ratePerS: null });
  });

  test('is chosen where a server uses far less CPU than what loads it, on a busy machine too', () => {
    const idle = { busyCores: { baseline: 0.1, comparison: 0.1 }, generatorShare: 0.45, noise: 0.3 };
    const choice = chooseLoad([trial(8, fast, idle), trial(16, fast, idle)], 1, 128);
    expect(choice).toMatchObject({ users: 8, reason: 'server' });
  });

  test('is chosen where one side leaves the server certainly less busy than the other', () => {
    const uneven = { busyCores: { baseline: 0.6, comparison: 0.98 } };
    const choice = chooseLoad([trial(8, fast, uneven), trial(16, fast, uneven)], 1, 128);
    expect(choice).toMatchObject({ users: 8, ratePerS: 15_000, reason: 'server' });
  });

  test('is not chosen where a busy machine makes the difference', () => {
    const starved = { busyCores: { baseline: 0.6, comparison: 0.98 }, noise: 0.6 };
    const choice = chooseLoad([trial(8, fast, starved), trial(16, fast, starved)], 1, 128);
    expect(choice).toMatchObject({ ratePerS: null });
  });

  test('is chosen where users bring more without end', () => {
    const choice = chooseLoad([trial(64, fast, half), trial(128, times(fast, 2), half)], 2, 128);
    expect(choice).toMatchObject({ users: 128, ratePerS: 33_000, reason: 'server' });
  });
});

describe('out of time', () => {
  test.each([0.5, null])(
    'with others at %s of the machine, the users that were tried last are taken',
    (othersShare) => {
      const starved = { ...half, othersShare };
      const trials = [trial(8, fast, starved), trial(16, times(fast, 1.3), starved)] as const;
      expect(chooseLoad(trials, 2, 128, true)).toMatchObject({ users: 16, ratePerS: null });
    },
  );

  test('on a quiet machine they get one rate, unless they nearly use the server up', () => {
    const choose = (then: { busyCores: Sides }) =>
      chooseLoad([trial(8, fast, half), trial(16, times(fast, 1.3), then)], 2, 128, true);
    expect(choose(half)).toMatchObject({ users: 16, ratePerS: 22_000, reason: 'server' });
    const nearly = { busyCores: { baseline: 1.6, comparison: 1.7 } };
    expect(choose(nearly)).toMatchObject({ users: 16, ratePerS: null });
  });

  test('a target whose transactions take long gets one rate, as its CPU is not what they wait for', () => {
    const slow = { baseline: 4, comparison: 4 };
    const idle = { busyCores: { baseline: 0.01, comparison: 0.01 } };
    const choice = chooseLoad([trial(8, slow, idle)], 2, 128, true);
    expect(choice).toEqual({ double: false, users: 8, ratePerS: 2.2, reason: 'server' });
  });
});

describe('the load of an earlier run', () => {
  const full = { ratePerS: null };

  test('still fits where its users use the server up on both sides', () => {
    expect(stillFits(full, trial(8, fast, busy), 1)).toBe(true);
    const nearly = { busyCores: { baseline: 0.8, comparison: 0.85 } };
    expect(stillFits(full, trial(8, fast, nearly), 1)).toBe(true);
    expect(stillFits(full, trial(8, fast), null)).toBe(true);
  });

  test('is in doubt where they do not, and twice the users would have to bring much', () => {
    expect(stillFits(full, trial(8, fast, half), 1)).toBeNull();
    expect(bringsMuch(trial(8, fast, half), trial(16, times(fast, 1.2), half))).toBe(false);
    expect(bringsMuch(trial(8, fast, half), trial(16, times(fast, 1.5), half))).toBe(true);
    const wild = { ...half, noise: 0.6 };
    expect(bringsMuch(trial(8, fast, wild), trial(16, times(fast, 1.5), half))).toBe(false);
  });

  test('no longer fits where the sides are busy to different degrees, or what loads the server is the limit', () => {
    const uneven = { busyCores: { baseline: 0.8, comparison: 0.98 } };
    expect(stillFits(full, trial(8, fast, uneven), 1)).toBe(false);
    expect(stillFits(full, trial(8, fast, { ...half, generatorShare: 0.85 }), 1)).toBe(false);
    const idle = { busyCores: { baseline: 0.1, comparison: 0.1 } };
    expect(stillFits(full, trial(8, fast, idle), 1)).toBe(false);
    const slow = { baseline: 4, comparison: 4 };
    expect(stillFits(full, trial(8, slow, { ...half, generatorShare: 0.01 }), 1)).toBe(false);
    expect(stillFits(full, trial(8, slow, busy), 1)).toBe(true);
  });

  test.each([
    [21_000, true],
    [26_000, false],
    [10_000, false],
  ])('of %i transactions/s fits where 28,000 are reached: %s', (ratePerS, fits) => {
    expect(stillFits({ ratePerS }, trial(8, fast, half), 2)).toBe(fits);
  });

  test('of a rate no longer fits where the server turns out to be the limit', () => {
    expect(stillFits({ ratePerS: 21_000 }, trial(8, fast, busy), 1)).toBe(false);
  });
});

test('two looks are joined burst by burst', () => {
  const { users, bursts } = joinLooks(trial(8, fast), trial(8, times(fast, 2)));
  expect(users).toBe(8);
  expect(bursts.map((side) => side.length)).toEqual([8, 8]);
});

test('the slower side counts', () => {
  expect(slowerPerS(trial(8, fast))).toBeCloseTo(28_000, 6);
});
