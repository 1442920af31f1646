import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { ArmResult, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useAddress } from '../../components/links.tsx';
import { OverlaySection } from '../../components/overlay-section.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { isBeyondNoise, type LineChange, lineChanges } from '../../format/lines.ts';
import { printInterval, printWhen } from '../../format/printed-figures.ts';
import {
  axesOf,
  cellsOf,
  lineOf,
  lookOfArm,
  markersOf,
  SizeFigure,
  type SizeLine,
  type SizeQuantity,
} from './size-figure.tsx';

const quantities: readonly SizeQuantity[] = ['latency', 'cpu'];

const labels: Record<SizeQuantity, string> = { latency: 'Time', cpu: 'Server CPU' };

/** This sweep over another one of the same sizes. */
export function SizesOverlay({ document }: { document: SizesDocument }) {
  return (
    <OverlaySection document={document}>
      {(other) => <Overlay document={document} other={other} />}
    </OverlaySection>
  );
}

function Overlay({ document, other }: { document: SizesDocument; other: SizesDocument }) {
  const [what, setWhat] = useAddress<SizeQuantity>('change', quantities, 'latency');
  if (String(document.request.sizes) !== String(other.request.sizes)) {
    return <p>That sweep has other sizes. Choose one with the same sizes.</p>;
  }
  return (
    <>
      <ChoicePills
        legend="Change of"
        legendShown
        name="change"
        value={what}
        choices={quantities.map((value) => ({ value, label: labels[value] }))}
        onChange={setWhat}
      />
      <OverlayFigure later={document} earlier={other} what={what} />
      <OverlayTable later={document} earlier={other} what={what} />
    </>
  );
}

type OverlayProps = { later: SizesDocument; earlier: SizesDocument; what: SizeQuantity };

/** Points and lines of two sweeps; those of the other one are pale. */
function OverlayFigure({ later, earlier, what }: OverlayProps) {
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

/** Changes between the lines of two sweeps, with 95 % intervals. */
function OverlayTable({ later, earlier, what }: OverlayProps) {
  const changes = lineChanges(later, earlier, what);
  if (changes.length === 0) return <p>No side has a line in both sweeps.</p>;
  return (
    <DataTable
      caption="Changes between the sweeps, 95 % CI"
      narrow="cards"
      rows={changes}
      keyOf={({ arm, term, percent }) => `${arm} ${term} ${percent}`}
      columns={[
        { label: 'Line', cell: (row) => `${row.arm}: ${nameOf(row, what)}` },
        { label: 'Then', numeric: true, cell: (row) => printValue(row, row.earlier) },
        { label: 'Now', numeric: true, cell: (row) => printValue(row, row.later) },
        {
          label: 'Change',
          numeric: true,
          cell: (row) => (row.change === null ? '–' : printValue(row, row.change)),
        },
        {
          label: 'Outside both intervals',
          numeric: false,
          cell: (row) => (row.change === null ? '–' : isBeyondNoise(row) ? 'yes' : 'no'),
        },
      ]}
    />
  );
}

function nameOf({ term, percent }: LineChange, what: SizeQuantity): string {
  if (term === 'offset') return 'Offset, µs';
  if (term === 'rate') return what === 'latency' ? 'Rate, bytes/ms' : 'Bytes per ms of CPU';
  if (term === 'record') return 'Per TLS record, µs';
  return `Overhead below ${percent} % from, bytes`;
}

function printValue({ term }: LineChange, value: Estimate | null): string {
  if (value === null) return term === 'crossover' ? 'not in this range' : 'no clear limit';
  const decimals = term === 'offset' || term === 'record' ? 1 : 0;
  return Number.isNaN(value.lo) || Number.isNaN(value.hi)
    ? `${printNumber(value.center, decimals)} (interval outside this range)`
    : printInterval(value, decimals);
}
