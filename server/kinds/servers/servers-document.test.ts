/** Protects the ranking of a sweep: the largest certain effect leads, and what is not certain is not called none. */

import { expect, test } from 'vitest';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import {
  type Effect,
  type FactorPlanInput,
  factorPlanSchema,
  type ServersCell,
} from '../../../shared/kinds/servers/servers-result.ts';
import { simulateVisits, type Truth } from '../../testing/simulated-visits.ts';
import { cellResult } from './cell-document.ts';
import { effectsOf, rankEffects } from './servers-document.ts';

const effect = (change: Partial<Effect>): Effect => ({
  ...{ factor: 'cipher', metric: 'cpu', view: 'https', from: 'AES-128-GCM', to: 'AES-256-GCM' },
  ...{ pairs: 4, factorOf: { center: 1, lo: 0.99, hi: 1.013 }, pValue: 0.6, certain: false },
  ...change,
});

test('factors come by their largest certain effect on server CPU, said of the dearer level', () => {
  const effects = [
    effect({}),
    effect({
      ...{ factor: 'key', from: 'P-256', to: 'RSA-4096', certain: true },
      factorOf: { center: 2.5, lo: 2.22, hi: 2.86 },
    }),
    effect({
      ...{ factor: 'keepAlive', from: 'true', to: 'false', certain: true },
      factorOf: { center: 8, lo: 7.69, hi: 8.33 },
    }),
    effect({
      ...{ factor: 'concurrency', metric: 'throughput', from: '1', to: '32', certain: true },
      factorOf: { center: 50, lo: 40, hi: 60 },
    }),
  ];
  expect(rankEffects(effects)).toEqual([
    'Keep-alive matters most: off has 8.00 times the server CPU at full load of on (95 % CI 7.69 to 8.33).',
    'Key: RSA-4096 has 2.50 times the server CPU at full load of P-256 (95 % CI 2.22 to 2.86).',
    'Cipher: no difference above 1.3 %.',
  ]);
});

test('where CPU cannot be read it goes by requests per second, said of the faster level', () => {
  const slower = effect({
    ...{ factor: 'key', metric: 'throughput', from: 'P-256', to: 'RSA-4096', certain: true },
    factorOf: { center: 0.4, lo: 0.35, hi: 0.45 },
  });
  expect(rankEffects([slower])).toEqual([
    'Key: P-256 has 2.50 times the requests per second of RSA-4096 (95 % CI 2.22 to 2.86).',
  ]);
});

test('a factor whose intervals reach beyond twice as much is not known yet', () => {
  expect(rankEffects([effect({ factorOf: { center: 1.1, lo: 0.3, hi: 4 } })])).toEqual([
    'Cipher: not known yet, up to 4.0×.',
  ]);
});

test('effects on another metric, or on what HTTPS adds, are left out', () => {
  expect(rankEffects([effect({ metric: 'latency' }), effect({ view: 'overhead' })])).toEqual([]);
});

/** Protects what is said of a factor: known effects come out, pairs differ in nothing else, and chance is not called certain. */

const cellsOf = (plan: FactorPlanInput) => expandPlan(factorPlanSchema.parse(plan));

const plan: FactorPlanInput = {
  shape: 'grid',
  levels: { keepAlive: [true, false], key: ['P-256', 'RSA-2048'], cipher: ['AES-128-GCM', 'AES-256-GCM'] },
};

/** Keep-alive is worth 6 times, an RSA key costs a tenth where connections are new, the cipher nothing. */
const known: Truth = ({ settings: { keepAlive, key } }, side) => {
  const perS = (keepAlive ? 6000 : 1000) * (side === 'https' && !keepAlive && key === 'RSA-2048' ? 0.9 : 1);
  return { perS, cpuUs: 1e6 / perS };
};

test('a level that changes throughput 6 times is said to, in all pairs of cells that differ in it alone', () => {
  const cells = cellsOf(plan);
  const effects = effectsOf(
    cells,
    simulateVisits(cells, (cell) => known(cell, 'http')),
  );
  const keepAlive = effects.find(
    ({ factor, metric, view }) => factor === 'keepAlive' && metric === 'throughput' && view === 'https',
  );
  expect(keepAlive).toMatchObject({ from: 'true', to: 'false', pairs: 4, certain: true });
  expect(keepAlive?.factorOf.center).toBeCloseTo(1 / 6, 10);
});

test('an effect is the mean over the cells: one that half of them have counts half', () => {
  const cells = cellsOf(plan);
  const effects = effectsOf(cells, simulateVisits(cells, known));
  const key = effects.find(
    ({ factor, metric, view }) => factor === 'key' && metric === 'throughput' && view === 'https',
  );
  expect(key?.factorOf.center).toBeCloseTo(Math.sqrt(0.9), 10);
  const overhead = effects.find(
    ({ factor, metric, view }) => factor === 'key' && metric === 'cpu' && view === 'overhead',
  );
  expect(overhead?.factorOf.center).toBeCloseTo(Math.sqrt(1 / 0.9), 10);
});

test('under noise the known effects stay certain, and the cipher’s, which is none, is not', () => {
  const cells = cellsOf(plan);
  const effects = effectsOf(cells, simulateVisits(cells, known, { noise: 0.02 }));
  const certain = (factor: string) =>
    effects.find((each) => each.factor === factor && each.metric === 'throughput' && each.view === 'https')
      ?.certain;
  expect(certain('keepAlive')).toBe(true);
  expect(certain('key')).toBe(true);
  expect(certain('cipher')).toBe(false);
});

test('a cell that failed in a round is left out of that round’s pairs', () => {
  const cells = cellsOf(plan);
  const visits = simulateVisits(cells, known).map((visit) =>
    visit.cell === 0 && visit.round < 4 ? { ...visit, arms: null, failure: 'nginx fell over.' } : visit,
  );
  expect(effectsOf(cells, visits).every(({ factorOf }) => Number.isFinite(factorOf.center))).toBe(true);
  expect(cellResult(cells[0] as ServersCell, visits)).toMatchObject({
    visits: 2,
    failures: ['nginx fell over.'],
  });
});

test('a cell has HTTP, HTTPS and their ratio, and none of what cannot be read', () => {
  const [cell] = cellsOf({ shape: 'cells', cells: [{ keepAlive: false, key: 'RSA-2048' }] }) as [ServersCell];
  const visits = simulateVisits([cell], known);
  const { throughput, cpu } = cellResult(cell, visits);
  expect(throughput?.ratio).toMatchObject({ center: expect.closeTo(0.9, 10) });
  expect(throughput?.http.center).toBeCloseTo(1000, 6);
  expect(cpu?.twinRatio.center).toBeCloseTo(1, 10);
  const blind = visits.map((visit) => ({
    ...visit,
    arms: visit.arms && {
      baseline: { ...visit.arms.baseline, cpuUs: null },
      comparison: visit.arms.comparison,
      twin: visit.arms.twin,
    },
  }));
  expect(cellResult(cell, blind).cpu).toBeNull();
});

test('where a request costs the generator more CPU than the server, its rate is the generator’s', () => {
  const [cell] = cellsOf({ shape: 'cells', cells: [{}] }) as [ServersCell];
  const withGenerator = (factor: number) =>
    simulateVisits([cell], known).map(({ arms, ...visit }) => ({
      ...visit,
      arms: arms && {
        ...arms,
        comparison: { ...arms.comparison, generatorCpuUs: factor * (arms.comparison.cpuUs ?? 0) },
      },
    }));
  expect(cellResult(cell, withGenerator(1.2)).generatorLimited).toBe(true);
  expect(cellResult(cell, withGenerator(0.8)).generatorLimited).toBe(false);
});
