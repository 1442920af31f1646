import { printNumber } from '../../../../shared/base/quantity.ts';
import { shiftOf } from '../../../../shared/base/shift.ts';
import type { BySide } from '../../../../shared/base/transport.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { titleOfLoad } from '../../../../shared/words/at-load-words.ts';

type Shown = Pick<ShownRun, 'metrics' | 'plan' | 'atLoad' | 'asked'>;

/** CPU per transaction at the loads that it was read at, the lightest first; null for fewer than two loads. */
export function loadView(run: Shown): LoadPoint[] | null {
  const rows = (['cpu_lone', 'cpu_half_load', 'cpu_at_load'] as const).flatMap((id) =>
    run.metrics.filter((row) => row.id === id && (row.baseline ?? row.comparison) !== null),
  );
  return rows.length < 2 ? null : rows.map((row) => pointOf(row, run));
}

/** "Server CPU per transaction with HTTPS: +119 µs for a lone user, +105 µs at half load, +87 µs at load". */
export function loadInSentence(points: readonly LoadPoint[], { comparison }: BySide<string>): string {
  const findings = points.map(({ finding }) => finding);
  return `Server CPU per transaction with ${comparison}: ${findings.join(', ')}`;
}

type LoadPoint = ReturnType<typeof pointOf>;

function pointOf(row: MetricComparison, run: Shown) {
  const { id, baseline, comparison } = row;
  const title = titleOf(row.id, run);
  const shift = shiftOf(row);
  const amount = shift === null ? 'refused' : (shift.absolute ?? shift.interval);
  /** `+87 µs at load`. */
  const finding = `${amount} ${inSentence(title)}`;
  return { id, title, finding, baseline, comparison, shift };
}

function titleOf(id: MetricId, run: Shown): string {
  if (id === 'cpu_lone') return 'For a lone user';
  if (id === 'cpu_at_load') return titleOfLoad(run.atLoad ?? null);
  const { ratePerS } = run.plan;
  if (ratePerS === null) return 'At half load';
  const rate = `${printNumber(ratePerS, 0)} transactions/s`;
  return run.asked.ratePerS === null ? `At half load, ${rate}` : `At ${rate}`;
}

/** Without what stands behind a comma. */
function inSentence(title: string): string {
  const [first = ''] = title.split(', ');
  return first.charAt(0).toLowerCase() + first.slice(1);
}
