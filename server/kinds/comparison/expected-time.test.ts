/** Protects the command that repeats a run: read again, it asks for the same. */

import { expect, test } from 'vitest';
import { lengths } from '../../../shared/kinds/comparison/options.ts';
import { type RunRequestInput, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { countDown } from '../../../shared/measurement/progress.ts';
import { pathScenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { parseComparison } from '../../edge/commands/compare.ts';
import { searchScenario } from '../../targets/storefront/search-scenario.ts';
import {
  commandOf,
  expectedGrowth,
  expectRest,
  expectTimes,
  isKnown,
  type Look,
  longestOf,
  type Position,
  precisionOfPlan,
  type SoFar,
  wantsEpoch,
  wantsLaunch,
  withLook,
} from './expected-time.ts';
import { beforeEpochsS, epochS, launchS, thinkTimesLeftOut } from './plan-duration.ts';
import { planFor } from './run-plan.ts';

function commandFor(input: RunRequestInput, scenario = searchScenario): string {
  const request = runRequestSchema.parse(input);
  return commandOf({ request, plan: planFor(request, request.seed ?? 7), scenario });
}

/** The request that the command line makes of a command. */
function parseCommand(command: string) {
  const words = command.split(' ');
  expect(words.slice(0, 3)).toEqual(['npx', 'tls-toll', 'compare']);
  return parseComparison(words.slice(3)).request;
}

const origins = { http: 'http://127.0.0.1:8080', https: 'https://localhost:8443' };

test('the plainest run has the plainest command', () => {
  expect(commandFor({ seed: 42 })).toBe('npx tls-toll compare --length first --seed 42');
});

test.each<[string, RunRequestInput]>([
  ['a quick run of the storefront', {}],
  ['another length', { length: 'fine' }],
  [
    'http against its twin',
    { sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } } },
  ],
  [
    'https against its twin',
    { sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } } },
  ],
  [
    'the sides the other way round',
    { sides: { baseline: { transport: 'https' }, comparison: { transport: 'http' } } },
  ],
  ['a target given by two origins', { target: origins }],
  ['a target with its process', { target: { ...origins, pid: 4711 } }],
  [
    'a target with a twin and a certificate to trust',
    { target: { ...origins, twin: 'http://127.0.0.1:8081', trust: 'ab'.repeat(32) } },
  ],
  ['a scenario by its name', { scenario: 'search' }],
  ['a server of this machine', { target: 'nginx' }],
  [
    'a server with settings of its own',
    {
      target: {
        ...{ kind: 'managed', server: 'apache', key: 'RSA-2048', workers: 2 },
        ...{
          keepAlive: false,
          resumption: false,
          clientCertificates: true,
          kTls: true,
          documents: [0, 20_000],
        },
      },
    },
  ],
  ['more users', { users: 64 }],
  ['a load that is found again', { findLoad: true }],
  ['a connection for each request', { connectionPolicy: 'connection-per-request' }],
  ['a connection for each transaction', { connectionPolicy: 'connection-per-transaction' }],
  ['resumed sessions', { tls: { resumption: 'tickets' } }],
  ['TLS 1.2', { tls: { version: 'TLSv1.2' } }],
  ['TLS 1.3 and no other', { tls: { version: 'TLSv1.3' } }],
  [
    'several requests on a connection',
    { connectionPolicy: 'requests-per-connection', requestsPerConnection: 5 },
  ],
  ['some returning visitors', { tls: { resumption: 'mix', resumedShare: 0.25 } }],
  [
    'one suite and one group, unchecked',
    { tls: { cipher: 'TLS_AES_128_GCM_SHA256', group: 'X25519', verify: false } },
  ],
  ['a rate of its own, after a ramp', { ratePerS: 120.5, rampMs: 250 }],
  ['no think times, and two generators', { thinkTimeScale: 0, generators: 2 }],
  ['more launches, held to less', { launches: 12, tolerance: 0.01 }],
  ['users in lockstep, and shorter windows', { pairUsers: 4, windowMs: 100 }],
  ['a link of a profile', { link: 'mobile' }],
  ['a link of its own', { link: { roundTripMs: 25.5, mbitPerS: 50 } }],
  ['HTTP/2', { sides: { baseline: { transport: 'h2c' }, comparison: { transport: 'h2' } } }],
  [
    'everything at once',
    {
      length: 'quote',
      sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } },
      target: { ...origins, pid: 1 },
      users: 1,
      connectionPolicy: 'connection-per-request',
      tls: { version: 'TLSv1.2', resumption: 'tickets' },
    },
  ],
])('the command of %s asks for the same run again', (_name, input) => {
  const request = { ...input, seed: 2 ** 31 - 1 };
  expect(parseCommand(commandFor(request))).toEqual(runRequestSchema.parse(request));
});

test('paths are named as they were given, quoted for a shell where they must be', () => {
  const scenario = pathScenario(['/shop', "/it's?a=1&b=2"]);
  expect(commandFor({ target: origins, scenario }, scenario)).toMatch(
    / --path \/shop --path '\/it'\\''s\?a=1&b=2'$/,
  );
  const plain = pathScenario(['/', '/shop/42']);
  const asked = parseCommand(commandFor({ target: origins, scenario: plain, seed: 7 }, plain));
  expect(asked).toEqual(runRequestSchema.parse({ target: origins, scenario: plain, seed: 7 }));
});

test('a run with an own authority and an own scenario names the files that it needs', () => {
  const ca = sampleCertificate;
  const scenario = scenarioSchema.parse({ name: 'Own', steps: searchScenario.steps });
  expect(commandFor({ target: { ...origins, ca }, scenario }, scenario)).toBe(
    'npx tls-toll compare --length first --seed 7 --http http://127.0.0.1:8080 --https https://localhost:8443 --ca ca.pem --scenario scenario.json',
  );
});

/** Protects think times: kept where turns hold them, and left out with a word where not. */

const planOf = (request: object, thinkTimesMs: number[]) =>
  planFor(runRequestSchema.parse(request), 1, { thinkTimesMs });

test('think times are kept where a turn holds them', () => {
  expect(planOf({ length: 'first' }, [20, 40])).toMatchObject({ thinkTimeScale: 1, thinkMs: 60 });
  expect(planOf({ length: 'quote' }, [60, 60])).toMatchObject({ thinkTimeScale: 1, thinkMs: 120 });
  expect(planOf({ length: 'quote' }, [60, 61])).toMatchObject({ thinkTimeScale: 0 });
});

test('longer ones are left out, which is said, unless they are asked for', () => {
  const thinkTimes = [3000, 5000];
  const plan = planOf({ length: 'quote' }, thinkTimes);
  expect(plan).toMatchObject({ thinkTimeScale: 0, thinkMs: 0 });
  expect(thinkTimesLeftOut(null, plan.thinkTimeScale, thinkTimes)).toEqual([
    expect.stringContaining('8.0 s per transaction) were skipped'),
  ]);
  const asked = planOf({ length: 'quote', thinkTimeScale: 1 }, thinkTimes);
  expect(asked).toMatchObject({ thinkTimeScale: 1, thinkMs: 8000 });
});

test('nothing is said where there were none, or where none were asked for', () => {
  expect(thinkTimesLeftOut(null, 1, [0, 0])).toEqual([]);
  expect(thinkTimesLeftOut(0, 0, [3000])).toEqual([]);
});

/** Protects the time left of a run: it is what the rules of launches and epochs come to at the pace so far, and only falls. */

const phasesOrigins = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const planOfPhases = (asked: RunRequestInput) => planFor(runRequestSchema.parse(asked), 1);
const plan = planOfPhases({});
const standing = planOfPhases({ target: phasesOrigins });
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
  const quote = planOfPhases({ length: 'quote' });
  const pace = { ...unknown, epochS: 18, startS: 4 };
  const now = { pace, launchesDone: 3, elapsedS: 120, longestLaunchS: 40, isWarm: false, stopsAt: 20 };
  // Two more end by 204 s, a third would not by 240 s.
  expect(expectRest(quote, at(now)).launches).toBe(5);
  expect(expectRest(quote, at({ ...now, stopsAt: 4 })).launches).toBe(4);
});

test('a run whose headline is known early still has its fewest launches', () => {
  const quote = planOfPhases({ length: 'quote' });
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

/** Simulates a run whose launches and epochs take these seconds. Returns the countdown of every second. */
function conduct(asked: RunRequestInput, startS: number, epochsS: number, dead = 0) {
  const runPlan = planOfPhases(asked);
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
  ['on a target that stands already', { target: phasesOrigins }, 0, 3.1],
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
  const told = conduct({ target: phasesOrigins }, 0, 14);
  expect(told.at(-1)?.longerS).toBeGreaterThan(20);
  const rises = told.filter(({ secondsLeft }, index) => secondsLeft > (told[index - 1]?.secondsLeft ?? 1e9));
  expect(rises.length).toBeLessThanOrEqual(2);
});

/** Protects the rule by which a run ends: a narrow headline, twice in a row, with enough samples. */

const looksOf = (...looks: [samples: number, halfWidth: number][]): Look[] =>
  looks.map(([samples, halfWidth]) => ({ samples, halfWidth }));

test('the headline is known after two narrow looks in a row, not after one', () => {
  expect(isKnown([], 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.05]), 0.05)).toBe(false);
  expect(isKnown(looksOf([9, 0.05], [12, 0.05]), 0.05)).toBe(true);
});

test('a wide look starts the count again', () => {
  expect(isKnown(looksOf([12, 0.04], [15, 0.051]), 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.04], [15, 0.051], [18, 0.04]), 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.051], [15, 0.04], [18, 0.04]), 0.05)).toBe(true);
});

test('fewer than ten samples never end a run', () => {
  expect(isKnown(looksOf([6, 0.01], [9, 0.01]), 0.05)).toBe(false);
  expect(isKnown(looksOf([8, 0.01], [10, 0.01]), 0.05)).toBe(true);
});

test('a look needs 20 % more samples than the one before', () => {
  const first = withLook([], { samples: 10, halfWidth: 0.05 });
  expect(withLook(first, { samples: 11, halfWidth: 0.04 })).toEqual(first);
  expect(withLook(first, { samples: 12, halfWidth: 0.04 })).toHaveLength(2);
});

test('where no primary metric can be measured, nothing is waited for', () => {
  const nothing = { samples: Number.POSITIVE_INFINITY, halfWidth: 0 };
  expect(isKnown(withLook(withLook([], nothing), nothing), 0.01)).toBe(true);
});

test('what is needed grows with the square of the width', () => {
  expect(expectedGrowth({ samples: 12, halfWidth: 0.06 }, 0.03)).toBeCloseTo(4, 9);
  expect(expectedGrowth({ samples: 12, halfWidth: 0.01 }, 0.03)).toBe(1);
});

test('a precision that was asked for replaces that of the length', () => {
  expect(precisionOfPlan({ length: 'quote', precision: null })).toBe(0.02);
  expect(precisionOfPlan({ length: 'quote', precision: 0.03 })).toBe(0.03);
});

/** Protects the time that the form promises: from the scatter of samples here or a shipped one, and from the CPU that other programs use. */

const secondsOf = (known: Parameters<typeof expectTimes>[0], taken = 0) =>
  Object.fromEntries(
    expectTimes(known, taken).map(({ target, length, seconds }) => [`${target} ${length}`, seconds]),
  );

test('without runs, a first answer takes its fewest launches, and a finer one more', () => {
  expect(secondsOf([])).toMatchObject({ 'storefront first': 30, 'managed first': 25, 'origins first': 20 });
  const times = secondsOf([]);
  expect(times['storefront quote']).toBeGreaterThan(times['storefront first'] ?? 0);
  expect(times['storefront fine']).toBeGreaterThan(times['storefront quote'] ?? 0);
});

test('twice the scatter takes four times the samples, within the time of the length', () => {
  const known = (deviation: number) => [{ target: 'origins' as const, deviation }];
  // (2.2 × 0.05 ÷ 0.02)² = 30.25 samples are six epochs of 6 s, and (2.2 × 0.1 ÷ 0.02)² = 121 are 21: 15 more, of 9.9 s each.
  const [few, more] = [secondsOf(known(0.05)), secondsOf(known(0.1))];
  expect((more['origins quote'] ?? 0) - (few['origins quote'] ?? 0)).toBeCloseTo(15 * 9.9, -1);
  expect(secondsOf(known(1))['origins quote']).toBe(lengths.quote.atMostS);
  expect(few['managed quote']).toBe(secondsOf([])['managed quote']);
});

test('the newest nine runs count by their median, and half a machine takes longer', () => {
  const of = (deviation: number) => ({ target: 'managed' as const, deviation });
  const known = [...Array(5).fill(of(0.06)), ...Array(4).fill(of(0.01)), ...Array(20).fill(of(1))];
  expect(secondsOf(known)).toEqual(secondsOf([of(0.06)]));
  expect(expectTimes(known, 0).find(({ target }) => target === 'managed')?.runs).toBe(9);
  expect(secondsOf([], 0.5)['managed first']).toBe(45);
});

test('the promised half-width includes what moves between runs, and is wider if the time is too short', () => {
  const widthOf = (known: Parameters<typeof expectTimes>[0], target: string) =>
    expectTimes(known, 0).find((each) => each.target === target && each.length === 'quote');
  const { halfWidth = 0, between = 0 } = widthOf([], 'managed') ?? {};
  expect(halfWidth).toBeCloseTo(Math.hypot(lengths.quote.precision, between), 9);
  const busy = widthOf([{ target: 'origins', deviation: 1 }], 'origins');
  expect(busy?.halfWidth).toBeGreaterThan(3 * lengths.quote.precision);
});
