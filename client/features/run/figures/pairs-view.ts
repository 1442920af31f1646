import {
  printChange,
  printChangeInterval,
  printDifference,
  type Scale,
  scaleFor,
} from '../../../../shared/base/quantity.ts';
import type { BySide } from '../../../../shared/base/transport.ts';
import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { printCount } from '../../../format/count.ts';

/** The difference of every sample over time, with that of the twin. */
export type PairsView = {
  points: { number: number; seconds: number; value: number; twinValue: number | null }[];
  /** What the twin's interval spans. */
  band: { from: number; to: number } | null;
  /** What setting windows aside changed, in words; null where there was nothing to set aside. */
  settingAside: string | null;
  print: (value: number) => string;
  /** Whether values are changes of a ratio, which stand on a logarithmic axis. */
  ratios: boolean;
};

/**
 * Null when the metric has no pairs or was refused; `all` also shows the samples that were set aside. Values are changes (0.21 for +21 %),
 * or in the metric's unit for differences.
 */
export function pairsView(document: ShownRun, metricId: MetricId, all = false): PairsView | null {
  const comparison = document.metrics.find(({ id }) => id === metricId);
  if (comparison === undefined || comparison.pairs.length === 0 || comparison.outcome === 'refused')
    return null;
  const { pairs, ratio, twinRatio, ratioOfAll } = comparison;
  const base = ratio === null ? 0 : 1;
  const shown = pairs.filter(({ aside }) => all || aside !== true);
  const points = shown.map(({ atMs, value, twinValue }, index) => ({
    ...{ number: index + 1, seconds: atMs / 1000, value: value - base },
    twinValue: twinValue === null ? null : twinValue - base,
  }));
  const scale = scaleFor(
    metricOf(metricId).unit,
    points.map(({ value }) => value),
  );
  return {
    points,
    band: twinRatio === null || ratio === null ? null : { from: twinRatio.lo - 1, to: twinRatio.hi - 1 },
    settingAside:
      ratio === null || ratioOfAll === null
        ? null
        : `${ciOf(comparison)} ${printChangeInterval(ratio)}; with nothing set aside ${printChangeInterval(ratioOfAll)}`,
    print: ratio === null ? (value) => printCoarse(value, scale) : (value) => printChange(1 + value),
    ratios: ratio !== null,
  };
}

/** "HTTPS is above HTTP in 11 of 12 samples; the twin of HTTP stays between −0.9 % and +1.1 %." */
export function pairsInWords(view: PairsView, labels: BySide<string>): string {
  const above = view.points.filter(({ value }) => value > 0).length;
  const most = `${labels.comparison} is above ${labels.baseline} in ${above} of ${printCount(view.points.length, 'sample')}`;
  const { band, settingAside } = view;
  return [
    most,
    ...(band === null
      ? []
      : [
          `the twin of ${labels.baseline} lies between ${view.print(band.from)} and ${view.print(band.to)}, which is noise`,
        ]),
    ...(settingAside === null ? [] : [settingAside]),
  ].join('; ');
}

function printCoarse(value: number, scale: Scale): string {
  return printDifference(value, { ...scale, decimals: Math.min(2, scale.decimals) });
}
