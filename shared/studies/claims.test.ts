/** Protects the claims of the studies: the old tables as they were printed, the rules that decide, and a plan that answers them all in its time. */
import { describe, expect, test } from 'vitest';
import type { ServersDocument } from '../kinds/servers/servers-result.ts';
import { kinds } from '../results/kinds.ts';
import { roundedQuotient } from './field-claims.ts';
import { openssl2005Keys, openssl2005Speed } from './malmgren-2011.ts';
import { allClaims } from './read-figure.ts';
import { readServers, ssltest1997Rows } from './read-servers.ts';
import { judge, judgeClaim, printValue, rowOfClaim } from './read-sizes.ts';
import { ssleay1997Keys, ssleay1997Speed } from './speed-then-and-now.ts';
import { type Claim, type Reading, ruleInWords, type ServersFigure } from './study-figure.ts';
import { studyMeasurement, studyMeasurementNames, studyNames } from './study-plan.ts';
import { missingOf, type PlannedMeasurement } from './study-report.ts';

const claimOf = (id: string): Claim => {
  const found = allClaims.find((claim) => claim.id === id);
  if (found === undefined) throw new Error(`no claim ${id}`);
  return found;
};
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('the sources', () => {
  test('the old tables add up to what the sources add up to', () => {
    expect(sumOf(ssltest1997Rows.map(({ fullS }) => fullS))).toBeCloseTo(1385.74, 6);
    expect(sumOf(ssltest1997Rows.map(({ resumedS }) => resumedS))).toBeCloseTo(893.68, 6);
    const columns = ({ rows }: typeof ssleay1997Speed) =>
      [0, 1, 2, 3, 4].map((at) => Number(sumOf(rows.map(({ kBPerS }) => kBPerS[at] ?? 0)).toFixed(2)));
    expect(columns(ssleay1997Speed)).toEqual([28_636.16, 50_754.37, 66_743.56, 74_766.69, 77_754.3]);
    expect(columns(openssl2005Speed)).toEqual([474_953.54, 631_332.3, 944_455.67, 1_349_994.94, 1_611_766]);
    expect(sumOf(ssleay1997Keys.map(({ signS }) => signS))).toBeCloseTo(2.0039, 6);
    expect(sumOf(ssleay1997Keys.map(({ verifyS }) => verifyS))).toBeCloseTo(0.0411, 6);
    expect(sumOf(openssl2005Keys.map(({ signsPerS = 0 }) => signsPerS))).toBeCloseTo(3463.2, 6);
    expect(sumOf(openssl2005Keys.map(({ verifiesPerS = 0 }) => verifiesPerS))).toBeCloseTo(21_370.5, 6);
  });

  test('1,401 transactions that become 1,317 are 6.0 % fewer, whatever the source prints', () => {
    const claim = claimOf('wong-throughput');
    expect(claim.printed).toBe('1,401 → 1,317 transactions: −6.0 %');
    const rule = { from: 100 * (1317 / 1401 - 1) - 1, to: 100 * (1317 / 1401 - 1) + 1 };
    expect(claim).toMatchObject({ rule });
    expect(judge([{ lo: -6.2, hi: -5.8 }], rule)).toBe('holds');
    expect(judge([{ lo: -17, hi: -13 }], rule)).toBe('no longer');
    expect(judge([{ lo: -8, hi: -6 }], rule)).toBe('not decided');
  });

  test('a figure that was rounded leaves a range open: 2.2 of 2.3 are 2.15 of 2.35 to 2.25 of 2.25', () => {
    const { from, to } = roundedQuotient({ baseline: 2.3, ssl: 2.2 }, 0.05);
    expect([from, to].map((value) => Number(value.toFixed(4)))).toEqual([0.9149, 1]);
    expect(claimOf('wong-cpu')).toMatchObject({ rule: roundedQuotient({ baseline: 6, ssl: 30 }, 0.5) });
  });

  test('every row of the old tables is a claim', () => {
    const tables = Map.groupBy(allClaims, ({ study, table }) => `${study}, ${table ?? '–'}`);
    expect(Object.fromEntries([...tables].map(([name, rows]) => [name, rows.length]))).toMatchObject({
      'ssleay-1997, ssltest, user time per connection': 54,
      'ssleay-1997, Digests and ciphers, by bytes of input': 55,
      'ssleay-1997, Signatures of one core': 8,
      'apache-security-2005, Digests and ciphers, by bytes of input': 75,
      'apache-security-2005, Signatures of one core': 14,
      'wong-2003, –': 10,
    });
    expect(claimOf('ssltest-sslv3-rc4-md5-512-10240-full')).toMatchObject({
      printed: '20.25 s for 1,000: 20,250 µs',
      rule: { from: 18_225, to: 22_275 },
    });
    expect(new Set(allClaims.map(({ id }) => id)).size).toBe(allClaims.length);
    expect(new Set(allClaims.map(({ study }) => study))).toEqual(new Set(studyNames));
  });
});

describe('the plan', () => {
  test('takes 15 minutes at most, without what is long', () => {
    const planned = studyMeasurementNames.map(studyMeasurement);
    expect(sumOf(planned.filter(({ full }) => !full).map(({ seconds }) => seconds))).toBeLessThanOrEqual(900);
    expect(planned.filter(({ full }) => full).map(({ title }) => title)).toEqual([
      'New connections to nginx with OpenSSL 3.0.8 and 3.5.0',
      'New connections to nginx with two session tickets and none',
      '1 MB from nginx in records of 16 and 4 KiB',
      'Malmgren’s whole grid, 72 combinations',
    ]);
  });

  test.each(studyMeasurementNames)('%s is a request of its kind, and answers claims of that kind', (name) => {
    const { request } = studyMeasurement(name);
    expect(kinds[request.kind].request.safeParse(request).error).toBeUndefined();
    const asking = allClaims.filter((claim) => claim.by?.includes(name));
    expect(asking.length).toBeGreaterThan(0);
    for (const claim of asking) expect(claim).toMatchObject({ figure: { kind: request.kind } });
  });

  const state = (change: Partial<PlannedMeasurement>): PlannedMeasurement => ({
    ...{ name: 'speed', title: 'The speed table', kind: 'speed', request: { kind: 'speed' }, seconds: 155 },
    ...{ full: false, measured: null, going: null, resumes: null, why: null, lacking: false, key: 'k' },
    ...change,
  });
  const link = { id: '7'.repeat(22), url: `/l/${'7'.repeat(22)}` };
  const measured = { ...link, createdAt: 1, cpuModel: 'A', cores: 2, isExample: false };

  test('what is measured, on its way, or impossible here is not missing; the whole grid only where it is wanted', () => {
    const all = [
      state({}),
      state({ name: 'sizes', measured }),
      state({ name: 'mesh', going: link }),
      state({ name: 'mesh-envoy', lacking: true }),
      state({ name: 'servers-grid', full: true }),
    ];
    expect(missingOf(all, false).map(({ name }) => name)).toEqual(['speed']);
    expect(missingOf(all, true).map(({ name }) => name)).toEqual(['speed', 'servers-grid']);
  });

  test('a row without a measurement says why: the last problem, or that it is on its way', () => {
    const claim = claimOf('apache-security-242');
    const rowOf = (change: Partial<PlannedMeasurement>) => rowOfClaim(claim, [state(change)], () => []);
    expect(rowOf({})).toMatchObject({ word: 'not measured', by: 'speed', url: null, why: null });
    expect(rowOf({ why: 'The disk is full.' }).why).toBe('The disk is full.');
    expect(rowOf({ going: link, why: 'The disk is full.' }).why).toBe('Being measured.');
  });

  test('of several measurements the first that was made answers; one that cannot be made here does not count', () => {
    const claim = claimOf('istio-mtls-cpu');
    const envoy = state({ name: 'mesh-envoy', lacking: true, why: 'Envoy is not installed here.' });
    const value = { center: 12, lo: 11.8, hi: 12.2 };
    const rowOf = (mesh: PlannedMeasurement) => rowOfClaim(claim, [envoy, mesh], () => [{ values: [value] }]);
    expect(rowOf(state({ name: 'mesh' }))).toMatchObject({ word: 'not measured', by: 'mesh', why: null });
    expect(rowOf(state({ name: 'mesh', measured }))).toMatchObject({
      ...{ word: 'holds', by: 'mesh', url: measured.url },
      now: { value, today: '12.0 % (11.8 to 12.2 %).' },
    });
  });

  test('a document without the figure leaves its row empty, and says why', () => {
    const row = rowOfClaim(claimOf('apache-security-242'), [state({ measured })], () => ({
      missing: 'RSA-1024 was not measured.',
    }));
    expect(row).toMatchObject({
      ...{ word: 'not measured', now: null, url: measured.url },
      why: 'RSA-1024 was not measured.',
    });
  });
});

describe('the words', () => {
  const value = { center: 1.2, lo: 1.1, hi: 1.3 };

  test('a figure with a doubt decides nothing, a claim without a rule is not comparable, and a figure without a source is new', () => {
    const of = (id: string) => claimOf(id) as Parameters<typeof judgeClaim>[0];
    expect(judgeClaim(of('wong-network'), { values: [value] }).word).toBe('holds');
    expect(judgeClaim(of('wong-network'), { values: [value], doubt: 'Refused.' }).word).toBe('not decided');
    expect(judgeClaim(of('wong-network-row'), { values: [value] }).word).toBe('not comparable');
    expect(judgeClaim(of('pairs-tickets'), { values: [value] }).word).toBe('new');
  });

  test.each([
    [29_782, 34_464, 'no longer'],
    [850, 900, 'not decided'],
    [400, 500, 'not decided'],
  ])('a rate of %d to %d that the load generator limited: %s', (lo, hi, word) => {
    const claim = claimOf('malmgren-ab-rate') as Parameters<typeof judgeClaim>[0] & { figure: ServersFigure };
    const settings = { server: 'nginx', keepAlive: true, document: 5496, key: 'RSA-2048', concurrency: 320 };
    const cell = {
      ...{ cell: { settings }, failures: [], generatorLimited: true },
      throughput: { https: { center: (lo + hi) / 2, lo, hi } },
    };
    const swept = { cells: [cell], effects: [], levels: [], warnings: [] };
    const found = readServers(claim.figure, swept as unknown as ServersDocument) as readonly Reading[];
    const [reading] = found;
    if (reading === undefined) throw new Error('nothing was read');
    expect(judgeClaim(claim, reading)).toMatchObject({ word, today: expect.stringMatching(/^At least \d/) });
  });

  test('of several figures all must be within the rule, and one outside is enough', () => {
    const rule = { from: 1, to: 1.5 };
    expect(judge([value, { lo: 1.4, hi: 1.5 }], rule)).toBe('holds');
    expect(judge([value, { lo: 1.4, hi: 1.6 }], rule)).toBe('not decided');
    expect(judge([value, { lo: 1.6, hi: 1.7 }], rule)).toBe('no longer');
  });

  test.each([
    [{ from: -7, to: -5 }, '%', 'within −7 to −5 %'],
    [{ from: 1 / 1.05, to: 1.05 }, 'times', 'within 0.952 to 1.05 times'],
    [{ to: 500 }, 'ms', 'at most 500 ms'],
    [{ from: 1 }, 'times', 'at least 1 times'],
    [{ from: 0, to: 0 }, 'rejected lines', 'exactly 0 rejected lines'],
  ] as const)('%j in %s reads %s', (rule, unit, words) => {
    expect(ruleInWords(rule, unit)).toBe(words);
  });

  test('a value is printed as finely as its interval is', () => {
    expect(printValue({ center: 14.53, lo: 12.9, hi: 16.1 }, '%')).toBe('15 % (13 to 16 %)');
    expect(printValue({ center: 11_034.2, lo: 10_900, hi: 11_100 }, 'per second')).toBe(
      '11,034 per second (10,900 to 11,100)',
    );
    expect(printValue({ center: 0.9871, lo: 0.9871, hi: 0.9871 }, 'times')).toBe('0.987 times');
  });
});
