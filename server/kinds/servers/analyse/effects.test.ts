/** Protects what is said of a factor: known effects come out, pairs differ in nothing else, and chance is not called certain. */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../../shared/kinds/servers/plan/expand-plan.ts';
import {
  type FactorPlanInput,
  factorPlanSchema,
  type ServersCell,
} from '../../../../shared/kinds/servers/servers.ts';
import { simulateVisits, type Truth } from '../../../testing/simulated-visits.ts';
import { cellResult } from './cell-result.ts';
import { effectsOf } from './effects.ts';

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
