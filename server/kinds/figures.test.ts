/** Protects the history in SQL: every kind that has a view fills all of its columns. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meshDocumentSchema } from '../../shared/kinds/mesh/mesh.ts';
import { pricesDocumentSchema } from '../../shared/kinds/prices/prices.ts';
import type { FactorPlanInput } from '../../shared/kinds/servers/servers-result.ts';
import type { Figures } from '../../shared/measurement/history-view.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { sampleServers } from '../testing/sample-servers.ts';
import { sampleSizes } from '../testing/sample-sizes.ts';
import { metricFigures } from './comparison/metric-figures.ts';
import { meshFigures } from './mesh/mesh-analysis.ts';
import { prices } from './prices/kind.ts';
import { cellFigures } from './servers/servers-document.ts';
import { sizeFigures } from './sizes/sizes-report.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../life/database/golden/${name}.json`, import.meta.url), 'utf8'));
const golden = meshDocumentSchema.parse(read('mesh-v1'));
const list = pricesDocumentSchema.parse(read('prices-v1'));
const plan: FactorPlanInput = { shape: 'cells', cells: [{}, { keepAlive: false }] };

test.each<[view: string, Figures, rows: number, unknown: string[]]>([
  ['v_servers', cellFigures(sampleServers({ plan, rounds: 3 }).document), 2, ['cipher']],
  ['v_sizes', sizeFigures(sampleSizes()), 48, []],
  ['v_mesh', meshFigures(golden), 3, []],
  ['v_prices', prices.figuresOf?.(list) as Figures, list.items.length, []],
  [
    'v_metrics',
    metricFigures(sampleRun(), 'question'),
    sampleRun().metrics.length,
    [
      ...['protocol', 'cipher', 'group', 'key'].map((name) => `baseline_${name}`),
      ...['load_rate_per_s', 'machine', 'programs', 'departed'],
    ],
  ],
])('every column of %s has values, but for what the sample has not', (view, figures, rows, unknown) => {
  expect(figures.view.name).toBe(view);
  expect(figures.rows).toHaveLength(rows);
  const columns = figures.view.columns.map(({ name }) => name);
  for (const row of figures.rows) expect(Object.keys(row)).toEqual(columns);
  const empty = columns.filter((name) => figures.rows.every((row) => row[name] === null));
  expect(empty).toEqual(unknown);
});

test('a cell that failed has its settings and no figure', () => {
  const { document } = sampleServers({
    plan,
    rounds: 3,
    change: (visits) => visits.map((visit) => ({ ...visit, arms: null, failure: 'It did not start.' })),
  });
  expect(cellFigures(document).rows[0]).toMatchObject({
    ...{ server: 'nginx', keep_alive: 1, visits: 0, error_share: null },
    ...{ throughput_ratio: null, cpu_ratio_lo: null },
  });
});

test('a cell has its null ratio, and says when the generator set its rate', () => {
  const { document } = sampleServers({ plan, rounds: 3 });
  const [first] = document.cells;
  if (first === undefined) throw new Error('there is no cell');
  const { rows } = cellFigures({ cells: [{ ...first, generatorLimited: true }] });
  const { center, lo, hi } = first.latency?.twinRatio ?? {};
  expect(rows[0]).toMatchObject({
    generator_limited: 1,
    ...{ latency_twin_ratio: center, latency_twin_ratio_lo: lo, latency_twin_ratio_hi: hi },
  });
});
