import { differenceOf, excludes } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { nameSizeArm } from '../../../shared/kinds/sizes/size-words.ts';
import type { ArmResult, Crossover, SizeFit, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useAddress } from '../../components/links.tsx';
import { OverlaySection } from '../../components/overlay-section.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { printInterval, printWhen } from '../../format/printed-figures.ts';
import {
  axesOf,
  cellsOf,
  lineOf,
  lookOfArm,
  markersOf,
  printRate,
  rateTitle,
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
      caption={`${what === 'latency' ? 'Time per request' : 'Server CPU per request at full load'} now, and on ${printWhen(earlier.createdAt)} (pale).`}
      values={
        what === 'latency' ? 'Median time in both sweeps, ms' : 'Server CPU at full load in both sweeps, µs'
      }
      sizes={sizes}
      lines={[...later.arms.map(lineIn('now')), ...earlier.arms.map(lineIn('then'))]}
      {...axesOf(what, sizes, [])}
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
  if (term === 'rate') return rateTitle(what);
  if (term === 'record') return 'Per TLS record, µs';
  return `Added cost below ${percent} % from, bytes`;
}

function printValue({ term }: LineChange, value: Estimate | null): string {
  if (value === null) return term === 'crossover' ? 'not in this range' : 'no clear limit';
  if (term === 'rate') return printRate(value);
  const decimals = term === 'offset' || term === 'record' ? 1 : 0;
  return Number.isNaN(value.lo) || Number.isNaN(value.hi)
    ? `${printNumber(value.center, decimals)} (interval outside this range)`
    : printInterval(value, decimals);
}

/** A change between two sweeps: of a term of an arm’s line, or of the size from which on HTTPS adds little. */
type LineChange = {
  arm: string;
  term: 'offset' | 'rate' | 'record' | 'crossover';
  /** Overhead below which HTTPS stays, of a crossover. */
  percent: number | null;
  /** Null where it was not measured; in a crossover, where there is none within the sizes. */
  earlier: Estimate | null;
  later: Estimate | null;
  /** later less earlier; null unless both have an interval. */
  change: Estimate | null;
};

type Findings = Pick<SizesDocument, 'arms' | 'comparisons'>;

/** Arms that both have, by suite. */
export function lineChanges(later: Findings, earlier: Findings, what: SizeQuantity): LineChange[] {
  const [now, then] = [namedArms(later, what), namedArms(earlier, what)];
  return now.flatMap(({ arm, fit, crossovers }) => {
    const before = then.find((each) => each.arm === arm);
    if (before === undefined) return [];
    const [one, other] = linesOfOneForm(before.fit, fit);
    const terms = [
      changeOf({ arm, term: 'offset', percent: null }, one.offsetUs, other.offsetUs),
      changeOf({ arm, term: 'rate', percent: null }, one.bytesPerMs, other.bytesPerMs),
      ...(one.recordUs === null || other.recordUs === null
        ? []
        : [changeOf({ arm, term: 'record', percent: null }, one.recordUs, other.recordUs)]),
    ];
    const sizes = crossovers.flatMap((crossover) => {
      const { percent } = crossover;
      const found = before.crossovers.find((each) => each.percent === percent);
      if (found === undefined || (found.bytes === null && crossover.bytes === null)) return [];
      return [changeOf({ arm, term: 'crossover', percent }, bytesOf(found), bytesOf(crossover))];
    });
    return [...terms, ...sizes];
  });
}

export function isBeyondNoise({ change }: Pick<LineChange, 'change'>): boolean {
  return change !== null && excludes(change, 0);
}

type NamedArm = { arm: string; fit: SizeFit; crossovers: readonly Crossover[] };

function namedArms({ arms, comparisons }: Findings, what: SizeQuantity): NamedArm[] {
  return arms.flatMap((result) => {
    const fit = result[what];
    const own = comparisons.find(({ arm }) => arm === result.arm);
    return fit === null ? [] : [{ arm: nameSizeArm(result), fit, crossovers: own?.[what]?.crossovers ?? [] }];
  });
}

/** The same terms mean the same in both: lines with records are compared only with their like. */
function linesOfOneForm(one: SizeFit, other: SizeFit): [SizeFit['straight'], SizeFit['straight']] {
  return one.chosen === 'records' &&
    other.chosen === 'records' &&
    one.records !== null &&
    other.records !== null
    ? [one.records, other.records]
    : [one.straight, other.straight];
}

/** Without an interval its ends are not numbers. */
function bytesOf({ bytes, interval }: Crossover): Estimate | null {
  if (bytes === null) return null;
  return { center: bytes, lo: interval?.lo ?? Number.NaN, hi: interval?.hi ?? Number.NaN };
}

function changeOf(
  which: Pick<LineChange, 'arm' | 'term' | 'percent'>,
  earlier: Estimate | null,
  later: Estimate | null,
): LineChange {
  const known = earlier !== null && later !== null ? differenceOf(later, earlier) : null;
  return {
    ...which,
    earlier,
    later,
    change: known !== null && Number.isFinite(known.lo) && Number.isFinite(known.hi) ? known : null,
  };
}
