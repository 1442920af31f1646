/** Protects what is said of the study of 2011 today: known effects are judged right, never against their interval, and only what the plan covers. */
import { describe, expect, test } from 'vitest';
import type { FactorPlanInput } from '../../../shared/kinds/servers/servers-result.ts';
import { judge, malmgrenToday, sentenceOf } from '../../../shared/studies/read-sizes.ts';
import { type SampleServers, sampleServers } from '../../testing/sample-servers.ts';
import type { Truth } from '../../testing/simulated-visits.ts';

const verdictsOf = (sample: SampleServers) =>
  Object.fromEntries(malmgrenToday(sampleServers(sample).document).map(({ said, word }) => [said, word]));

const named = {
  keepAlive: 'Keep-alive gains most',
  key: 'The length of the key matters',
  cipher: 'The cipher hardly matters',
  servers: 'Servers differ under many connections',
  apache: 'Apache stops at 256 clients',
};

/** Requests per second of a cell, from the factors by which each level changes them. */
const truthOf =
  (change: (settings: Parameters<Truth>[0]['settings']) => number): Truth =>
  ({ settings }) => {
    const perS = 10_000 * change(settings);
    return { perS, cpuUs: 1e6 / perS };
  };

test('on servers as in 2011 all of it holds', () => {
  expect(verdictsOf({ ofRound: 0.01 })).toEqual({
    [named.keepAlive]: 'holds',
    [named.key]: 'holds',
    [named.cipher]: 'holds',
    [named.servers]: 'holds',
    [named.apache]: 'no longer',
  });
});

test('where the opposite is true none of it holds', () => {
  const truth = truthOf(
    ({ keepAlive, cipher }) => (keepAlive ? 1.1 : 1) * (cipher === 'AES-256-GCM' ? 3 : 1),
  );
  expect(verdictsOf({ truth, noise: 0.005, ofRound: 0 })).toEqual({
    [named.keepAlive]: 'no longer',
    [named.key]: 'no longer',
    [named.cipher]: 'no longer',
    [named.servers]: 'no longer',
    [named.apache]: 'no longer',
  });
});

test('keep-alive that is slower is no gain, even where nothing else matters', () => {
  const truth = truthOf(({ keepAlive }) => (keepAlive ? 0.5 : 1));
  expect(verdictsOf({ truth })[named.keepAlive]).toBe('no longer');
});

test('where rounds differ too much nothing is decided', () => {
  const truth = truthOf(({ keepAlive }) => (keepAlive ? 1.02 : 1));
  const verdicts = verdictsOf({ truth, noise: 1.5, ofRound: 1, rounds: 3 });
  expect(verdicts).toEqual({
    [named.keepAlive]: 'not decided',
    [named.key]: 'not decided',
    [named.cipher]: 'not decided',
    [named.servers]: 'not decided',
    [named.apache]: 'no longer',
  });
});

describe('of a plan that does not cover it, nothing is said', () => {
  test.each<[FactorPlanInput, string[]]>([
    [{ shape: 'grid', levels: { keepAlive: [true, false] } }, []],
    [{ shape: 'grid', levels: { key: ['RSA-1024', 'RSA-4096'] } }, []],
    [{ shape: 'grid', base: { keepAlive: false }, levels: { key: ['RSA-1024', 'RSA-4096'] } }, [named.key]],
    [{ shape: 'grid', base: { keepAlive: false }, levels: { key: ['P-256', 'RSA-4096'] } }, []],
    [{ shape: 'grid', levels: { cipher: [null, 'AES-128-GCM'] } }, []],
    [{ shape: 'grid', levels: { server: ['nginx', 'apache'], concurrency: [1, 32] } }, []],
    [
      { shape: 'grid', levels: { server: ['nginx', 'apache'], concurrency: [1, 320] } },
      [named.servers, named.apache],
    ],
  ])('%j', (plan, claims) => {
    expect(Object.keys(verdictsOf({ plan }))).toEqual(claims);
  });
});

test.each([
  [{ lo: 0.96, hi: 1.04 }, 'holds'],
  [{ lo: 0.96, hi: 1.06 }, 'not decided'],
  [{ lo: 1.06, hi: 1.2 }, 'no longer'],
  [{ lo: 0.8, hi: 0.9 }, 'no longer'],
  [{ lo: 0.8, hi: 1.2 }, 'not decided'],
] as const)('%j within 5 %% of 1: %s', (interval, verdict) => {
  expect(judge([interval], { from: 0.95, to: 1.05 })).toBe(verdict);
});

test.each([
  [{ lo: 1.1, hi: 1.2 }, 'holds'],
  [{ lo: 1.01, hi: 1.2 }, 'not decided'],
  [{ lo: 0.9, hi: 1.04 }, 'no longer'],
] as const)('%j above 1.05: %s', (interval, verdict) => {
  expect(judge([interval], { from: 1.05 })).toBe(verdict);
});

test('a claim reads as a sentence with today’s figures and intervals', () => {
  const [first, key] = malmgrenToday(sampleServers().document);
  if (first === undefined || key === undefined) throw new Error('no claims');
  expect(sentenceOf(first)).toMatch(
    /^Keep-alive gains most: holds\. [\d.]+× \([\d.]+ to [\d.]+\) as many requests per CPU second with it, against [\d.]+× \([\d.]+ to [\d.]+\) for the key and [\d.]+× \([\d.]+ to [\d.]+\) for the cipher\.$/,
  );
  expect(sentenceOf(key)).toMatch(/as many requests per CPU second with RSA-1024 as with RSA-4096\.$/);
});
