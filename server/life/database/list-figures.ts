import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { type SiteFigure, siteFigureSchema } from '../../../shared/measurement/batch.ts';
import type { Database } from './open-database.ts';

const estimateNames = ['baseline', 'comparison', 'shift', 'ratio'] as const;
type EstimateName = (typeof estimateNames)[number];
type Column = EstimateName | `${EstimateName}Lo` | `${EstimateName}Hi`;

type Figures = {
  metricFigures: Row & { measurementId: string; place: number };
};

const columns = estimateNames.flatMap((name) => [name, `${name}Lo`, `${name}Hi`] as const);

/** What runs that have ended say in the history, by their IDs, each in the order of its table: their documents stay packed. */
export async function listFigures(
  { queries }: Database,
  ids: readonly string[],
): Promise<Map<string, SiteFigure[]>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .withTables<Figures>()
    .selectFrom('metricFigures')
    .select(['measurementId', 'metric', 'unit', 'verdict', ...columns])
    .where('measurementId', 'in', ids)
    .orderBy('place')
    .execute();
  const figures = new Map<string, SiteFigure[]>(ids.map((id) => [id, []]));
  for (const { measurementId, ...row } of rows) figures.get(measurementId)?.push(figureOf(row));
  return figures;
}

type Row = { metric: string; unit: string; verdict: string } & Record<Column, number | null>;

function figureOf({ metric: id, unit, verdict: outcome, ...row }: Row): SiteFigure {
  const estimateOf = (name: EstimateName): Estimate | null => {
    const { [name]: center, [`${name}Lo` as const]: lo, [`${name}Hi` as const]: hi } = row;
    return center === null || lo === null || hi === null ? null : { center, lo, hi };
  };
  return siteFigureSchema.parse({
    ...{ id, unit, outcome, baseline: estimateOf('baseline'), comparison: estimateOf('comparison') },
    ...{ delta: estimateOf('shift'), ratio: estimateOf('ratio') },
  });
}
