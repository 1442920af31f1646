import type { ArmResult, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { printWhen } from '../../format/when.ts';
import { lookOfArm } from './arm-look.ts';
import { SizeFigure, type SizeLine } from './size-figure.tsx';
import { axesOf, cellsOf, lineOf, markersOf, type SizeQuantity } from './time-series.ts';

type Props = { later: SizesDocument; earlier: SizesDocument; what: SizeQuantity };

/** Points and lines of two sweeps; those of the other one are pale. */
export function OverlayFigure({ later, earlier, what }: Props) {
  const { sizes } = later.request;
  const lineIn =
    (day: 'now' | 'then') =>
    (arm: ArmResult): SizeLine => {
      const own = lookOfArm(arm);
      const pale = day === 'then';
      const look = { ...own, label: `${own.label}, ${day}`, color: pale ? `${own.color}70` : own.color };
      return {
        look,
        cells: cellsOf(arm, what),
        series: [markersOf(arm, what), ...lineOf(arm, what, sizes)].map(
          ({ points, line, markerSize, dashed, label }) => ({
            ...{ points, line, markerSize, dashed, marker: look.marker, thin: line, quiet: pale },
            ...{ label: label.replace(own.label, look.label), color: look.color },
          }),
        ),
      };
    };
  return (
    <SizeFigure
      caption={`${what === 'latency' ? 'Time per request' : 'Server CPU per request at load'} now, and on ${printWhen(earlier.createdAt)} (pale).`}
      values={what === 'latency' ? 'Median time of both sweeps, ms' : 'Server CPU at load of both sweeps, µs'}
      sizes={sizes}
      lines={[...later.arms.map(lineIn('now')), ...earlier.arms.map(lineIn('then'))]}
      {...axesOf(what, sizes)}
    />
  );
}
