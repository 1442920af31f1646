import { addedTo } from '../../../../shared/base/map-estimate.ts';
import { shiftOf } from '../../../../shared/base/shift.ts';
import type { Found } from '../../../../shared/kinds/comparison/found.ts';
import { qualityOf } from '../../../../shared/kinds/comparison/quality.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { pooledHeadline } from '../../../../shared/words/pool-words.ts';

/** Null where the metric of the verdict has no ratio. The amount of what was pooled is that of the pooled ratio of this baseline. */
export function foundIn(document: RunDocument): Found | null {
  const { verdict, metrics } = document;
  const row = metrics.find(({ id }) => id === verdict?.metric);
  if (verdict === null || row === undefined || row.ratio === null || row.baseline === null) return null;
  const headline = pooledHeadline(document);
  const pooled = headline?.metric === row.id ? headline.pooled : null;
  const { ratio, outcome } = pooled ?? { ratio: row.ratio, outcome: row.outcome };
  const delta = pooled === null ? row.delta : addedTo(row.baseline, ratio);
  const amount = shiftOf({ ...row, ratio, outcome, delta })?.absolute ?? null;
  return { metric: row.id, outcome, ratio, amount, quality: qualityOf(document).quality };
}
