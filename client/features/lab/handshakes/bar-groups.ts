import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell, Resumption } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { labelsOf } from '../../../../shared/report/handshakes-report.ts';

const mostBars = 40;
const looks: Record<Resumption, { label: string; color: string; dashed: boolean }> = {
  full: { label: 'Full', color: '#8A63B5', dashed: false },
  resumed: { label: 'Resumed', color: '#009E73', dashed: true },
};

/** Cells that differ in resumption alone make one group of bars, the dearest first; and the finding, in words. */
export function barGroups(cells: readonly MeasuredCell[]) {
  const labelOf = labelsOf(cells);
  const byLabel = new Map<string, Partial<Record<Resumption, MeasuredCell>>>();
  for (const cell of cells) {
    const label = labelOf(cell);
    byLabel.set(label, { ...byLabel.get(label), [cell.cell.resumption]: cell });
  }
  const costOf = (pair: Partial<Record<Resumption, MeasuredCell>>) =>
    (pair.full ?? pair.resumed)?.cpuUs.median ?? 0;
  const sorted = [...byLabel].toSorted(([, a], [, b]) => costOf(b) - costOf(a));
  const shown = sorted.slice(0, mostBars);
  const present = (['full', 'resumed'] as const).filter((resumption) =>
    shown.some(([, pair]) => pair[resumption] !== undefined),
  );
  const [dearest, cheapest] = [shown[0], shown.at(-1)];
  return {
    groups: shown.map(([label]) => label),
    series: present.map((resumption) => ({
      ...looks[resumption],
      bars: shown.map(([, pair]) => {
        const spread = pair[resumption]?.cpuUs;
        return spread === undefined ? null : { center: spread.median, lo: spread.p5, hi: spread.p95 };
      }),
    })),
    caption:
      dearest === undefined || cheapest === undefined
        ? ''
        : `From ${printNumber(costOf(cheapest[1]), 0)} µs (${cheapest[0]}) to ${printNumber(costOf(dearest[1]), 0)} µs (${dearest[0]}) of CPU for both ends.`,
    leftOut:
      sorted.length > shown.length
        ? `The ${shown.length} most expensive of ${sorted.length}. The table below shows all.`
        : null,
  };
}
