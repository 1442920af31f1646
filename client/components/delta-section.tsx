import { type ReactNode, useId, useState } from 'react';
import { mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import { niceTicks, ratioTicks, type ShiftAxis, shiftAxis } from '../../shared/base/quantity.ts';
import { keyOfPart } from '../../shared/report/report.ts';
import { type DeltaParts, type ShownDelta, type ShownUnit, tickPrinter } from '../format/shown-delta.ts';
import type { Sides } from '../format/sides.ts';
import { Card, LookBadge, useScopedId } from './card.tsx';
import { ChoicePills, SideMark } from './pills.tsx';
import { Arrows, AxisLabels, drawnOn, PairMark, placeOn, ShiftScale, ShiftStrip } from './strips.tsx';
import classes from './table.module.css';

type Props = TableProps &
  Pick<DeltaParts, 'unmeasured'> & {
    id: string;
    label: string;
    onUnit: (unit: ShownUnit) => void;
  };

const units: { value: ShownUnit; label: string }[] = [
  { value: 'us', label: 'µs' },
  { value: 'percent', label: '%' },
  { value: 'ratio', label: '×' },
];

/** Every figure on one axis: what the verdict rests on first, and what was not measured in one line. */
export function DeltaSection({ id, label, unmeasured, onUnit, ...table }: Props) {
  return (
    <section id={useScopedId(id)} aria-label={label} className={classes.section}>
      <UnitSwitch unit={table.unit} onUnit={onUnit} />
      <Card flush>
        <DeltaTable {...table} />
      </Card>
      <Unmeasured rows={unmeasured} />
    </section>
  );
}

/** The unit of rows and charts, which the page keeps in its address. */
export function UnitSwitch({ unit, onUnit }: { unit: ShownUnit; onUnit: (unit: ShownUnit) => void }) {
  return (
    <div className={classes.units}>
      <ChoicePills legend="Unit" name="unit" value={unit} choices={units} onChange={onUnit} />
    </div>
  );
}

function Unmeasured({ rows }: { rows: readonly ShownDelta[] }) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.unmeasured}>
      <summary>Not measured ({rows.length})</summary>
      <dl>
        {rows.map((row) => (
          <UnmeasuredRow key={row.id} row={row} />
        ))}
      </dl>
    </details>
  );
}

function UnmeasuredRow({ row: { id, anchor, title, lines } }: { row: ShownDelta }) {
  return (
    <div id={useScopedId(anchor)} data-testid={`metric-row-${id}`}>
      <dt>{title}</dt>
      <dd>{lines.join(' ')}</dd>
    </div>
  );
}

type TableProps = Omit<DeltaParts, 'unmeasured'> & {
  caption: string;
  /** Head of the first column. */
  of: string;
  /** `95 % CI`. */
  ci: string;
  sides: Sides;
  /** Name of one hollow mark, such as `start`. */
  one: string;
};

/** One row a figure. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
function DeltaTable(props: TableProps) {
  const { caption, of, primary, others, axis, sides, unit } = props;
  const [selected, select] = useState<string | null>(null);
  const rowsOf = (rows: readonly ShownDelta[]) =>
    rows.map((row) => (
      <Row
        key={row.id}
        row={row}
        axis={axis}
        sides={sides}
        isSelected={row.id === selected}
        onSelect={select}
      />
    ));
  return (
    <table className={classes.deltaTable} data-testid="delta-table" {...role('table')}>
      <caption className="hidden">{caption}</caption>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <HeadCell>{of}</HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.baseline} /> {sides.baseline.label}
          </HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.comparison} /> {sides.comparison.label}
          </HeadCell>
          <HeadCell numeric>Difference</HeadCell>
          <HeadCell numeric>{unit === 'ratio' ? 'As a ratio' : 'In percent'}</HeadCell>
          <HeadCell>
            <span className="hidden">Outcome</span>
          </HeadCell>
          <HeadCell>
            <ShiftScale axis={axis} print={tickPrinter(unit, axis)} />
            <span className="hidden">On one axis</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody data-part="primary" {...role('rowgroup')}>
        {rowsOf(primary)}
      </tbody>
      <tbody data-part="line" {...role('rowgroup')}>
        <tr {...role('row')}>
          <td {...role('cell')} colSpan={columnCount}>
            <Line row={[...primary, ...others].find(({ id }) => id === selected)} {...props} />
          </td>
        </tr>
      </tbody>
      <tbody data-part="others" {...role('rowgroup')}>
        {rowsOf(others)}
      </tbody>
    </table>
  );
}

const columnCount = 7;

/** Values of the selected row, in a line that covers no row; without a selection, the legend. Its height never changes. */
function Line({ row, ci, one, tolerance, primary, others }: { row: ShownDelta | undefined } & TableProps) {
  if (row !== undefined && row.starts.length > 0) {
    return (
      <p className={classes.line} aria-live="polite" data-testid="selected-row" data-q-of={row.quantity}>
        <strong>{row.title}</strong>
        {row.starts.map((start) => (
          <span key={start}>{start}</span>
        ))}
      </p>
    );
  }
  const strips = [...primary, ...others].flatMap(({ strip }) => strip ?? []);
  return (
    <p className={classes.line} aria-live="polite">
      <span>
        <span className={classes.bar} /> {ci}, center
      </span>
      {strips.every((strip) => strip.alone === null) ? null : (
        <span>
          <span className={classes.thin} /> this run alone
        </span>
      )}
      <span>
        <span className={classes.hollow} /> each {one}
      </span>
      {strips.every((strip) => strip.control === null) ? null : (
        <span>
          <span className={classes.band} /> control
        </span>
      )}
      <span>
        <span className={classes.dashed} /> ±{Math.round(100 * tolerance)} %
      </span>
      <span className={classes.screenOnly}>Select a row to read its values.</span>
    </p>
  );
}

type RowProps = Pick<TableProps, 'axis' | 'sides'> & {
  row: ShownDelta;
  isSelected: boolean;
  onSelect: (id: string | null) => void;
};

/** A row is selected while the mouse or the focus is in it. A touch selects it until the next touch. */
function Row({ row, axis, sides, isSelected, onSelect }: RowProps) {
  const { id, quantity, title, lines, difference, look, strip } = row;
  const [isOpen, open] = useState(false);
  const explanation = useId();
  return (
    <>
      <tr
        id={useScopedId(row.anchor)}
        data-testid={`metric-row-${id}`}
        data-selected={isSelected || undefined}
        {...role('row')}
        onPointerEnter={() => onSelect(id)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onSelect(null)}
        onFocus={() => onSelect(id)}
        onBlur={() => onSelect(null)}
      >
        <th scope="row" {...role('rowheader')} className={classes.metric}>
          <button
            type="button"
            className={classes.explains}
            aria-expanded={isOpen}
            aria-controls={explanation}
            onClick={() => open(!isOpen)}
          >
            {title}
          </button>
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </th>
        <td
          data-side={sides.baseline.label}
          data-numeric
          data-q={keyOfPart(quantity, 'first')}
          {...role('cell')}
        >
          {row.baseline ?? '–'}
        </td>
        <td
          data-side={sides.comparison.label}
          data-numeric
          data-q={keyOfPart(quantity, 'second')}
          {...role('cell')}
        >
          {row.comparison ?? '–'}
        </td>
        <DifferenceCell difference={difference} column="amount" q={keyOfPart(quantity, 'difference')} />
        <DifferenceCell difference={difference} column="change" q={keyOfPart(quantity, 'change')} />
        <td {...role('cell')} className={classes.deltaTableOutcome} colSpan={strip === null ? 2 : undefined}>
          {look === null ? null : <LookBadge look={look} />}
        </td>
        {strip === null ? null : (
          <td {...role('cell')} className={classes.strip}>
            <ShiftStrip {...strip} axis={axis} tone={look?.tone ?? 'quiet'} />
          </td>
        )}
      </tr>
      <tr id={explanation} hidden={!isOpen} className={classes.explanation} {...role('row')}>
        <td data-q-of={quantity} {...role('cell')} colSpan={columnCount}>
          <Explanation row={row} />
        </td>
      </tr>
    </>
  );
}

type DifferenceProps = Pick<ShownDelta, 'difference'> & {
  column: 'amount' | 'change';
  q: string | undefined;
};

function DifferenceCell({ difference, column, q }: DifferenceProps) {
  const shown = difference?.[column] ?? null;
  return (
    <td data-numeric data-q={q} {...role('cell')} className={classes.shift}>
      {shown === null ? (
        '–'
      ) : (
        <>
          <strong data-real={difference?.isCertain}>{shown.center}</strong>
          <span>{shown.ends}</span>
        </>
      )}
    </td>
  );
}

/** Two lines, and the rest where it is asked for. */
function Explanation({ row: { meaning, notes } }: { row: ShownDelta }) {
  return (
    <>
      <p>{meaning}</p>
      {notes.length === 0 ? null : (
        <details>
          <summary>More</summary>
          <p>{notes.join(' ')}</p>
        </details>
      )}
    </>
  );
}

function HeadCell({ children, numeric }: { children: ReactNode; numeric?: boolean }) {
  return (
    <th scope="col" data-numeric={numeric} {...role('columnheader')}>
      {children}
    </th>
  );
}

function role(name: string): { role: string } {
  return { role: name };
}

export type IntervalRow = {
  name: string;
  interval: { lo: number; center: number; hi: number };
  /** The same where nothing but noise was measured. */
  hollow: number | null;
  /** Sums up the others. */
  strong?: boolean;
  /** Which of two results it is from, if there are two: the first has a circle, the second a square. */
  result?: 'first' | 'second';
};

type RowsProps = {
  /** Text alternative of the drawing. */
  label: string;
  rows: readonly IntervalRow[];
  /** A value to compare with, drawn through all rows. */
  level: number;
  /** Range of noise alone. */
  band: { lo: number; hi: number } | null;
  /** Largest change that does not matter, on both sides of zero; absent where every change matters. */
  tolerance?: number | undefined;
  color: string;
  marker: 'circle' | 'diamond';
  print: (value: number) => string;
  /** Values are changes, 0.2 for a fifth more: the axis is that of the logarithms of their ratios. */
  ratios?: boolean;
};

const rowHeight = 30;
const mostTicks = 4;

/** Named intervals on one axis, which contains zero and the strong rows. Ratios are on a logarithmic scale. */
export function IntervalRows(props: RowsProps) {
  const { label, rows, level, band, tolerance = 0, color, marker, print, ratios = false } = props;
  const place = (value: number) => (ratios ? Math.log1p(value) : value);
  const axis = axisOfRows(rows, { band, tolerance, place });
  const { at, span } = drawnOn(axis);
  const ticks = ratios
    ? ratioTicks(Math.exp(axis.from), Math.exp(axis.to), mostTicks).map((ratio) => ratio - 1)
    : niceTicks(axis.from, axis.to, mostTicks);
  const height = rows.length * rowHeight;
  return (
    <div className={classes.rows} role="img" aria-label={label}>
      <ol className={classes.names} aria-hidden="true">
        {rows.map(({ name, strong }) => (
          <li key={name} data-strong={strong} style={{ blockSize: rowHeight }}>
            {name}
          </li>
        ))}
      </ol>
      <div aria-hidden="true">
        <svg className={classes.drawing} height={height} aria-hidden="true" focusable="false">
          {band === null ? null : (
            <rect
              {...span(place(band.lo), place(band.hi))}
              y="0"
              height={height}
              className={classes.intervalRowsBand}
            />
          )}
          {tolerance === 0 ? null : (
            <rect
              {...span(place(-tolerance), place(tolerance))}
              y="0"
              height={height}
              className={classes.tolerance}
            />
          )}
          <line x1={at(0)} x2={at(0)} y1="0" y2={height} className={classes.zero} />
          <line
            x1={at(place(level))}
            x2={at(place(level))}
            y1="0"
            y2={height}
            className={classes.level}
            stroke={color}
          />
          {rows.map((row, index) => (
            <Drawn
              key={row.name}
              row={row}
              y={(index + 0.5) * rowHeight}
              axis={axis}
              place={place}
              color={color}
              marker={marker}
            />
          ))}
        </svg>
        <div className={classes.intervalRowsAxis}>
          <AxisLabels ticks={ticks} place={(tick) => placeOn(axis)(place(tick))} print={print} />
        </div>
      </div>
    </div>
  );
}

type AxisProps = Pick<RowsProps, 'band'> & { tolerance: number; place: (value: number) => number };

function axisOfRows(rows: readonly IntervalRow[], { band, tolerance, place }: AxisProps) {
  const placed = ({ lo, hi }: { lo: number; hi: number }) => ({ lo: place(lo), hi: place(hi) });
  const intervalsOf = (strong: boolean) =>
    rows.filter((row) => (row.strong === true) === strong).map(({ interval }) => placed(interval));
  const points = rows.flatMap(({ hollow }) => (hollow === null ? [] : [placed({ lo: hollow, hi: hollow })]));
  const others = [...intervalsOf(false), ...points, ...(band === null ? [] : [placed(band)])];
  return shiftAxis(intervalsOf(true), others, place(tolerance));
}

type DrawnProps = Pick<RowsProps, 'color' | 'marker'> & {
  row: IntervalRow;
  y: number;
  axis: ShiftAxis;
  place: (value: number) => number;
};

function Drawn({ row: { interval, hollow, strong, result }, y, axis, place, color, marker }: DrawnProps) {
  const { lo, center, hi } = mapEstimate(interval, place);
  const { at, isInside } = drawnOn(axis);
  return (
    <g color={color}>
      {hollow === null ? null : (
        <circle cx={at(place(hollow))} cy={y} r="4.5" className={classes.intervalRowsHollow} />
      )}
      <line
        x1={at(lo)}
        x2={at(hi)}
        y1={y}
        y2={y}
        stroke={color}
        strokeWidth={strong === true ? 6 : 2.5}
        strokeLinecap="round"
      />
      <Arrows axis={axis} lo={lo} hi={hi} y={y} />
      {!isInside(center) ? null : result === undefined ? (
        <Marker x={at(center)} y={y} radius={strong === true ? 8 : 6} marker={marker} color={color} />
      ) : (
        <PairMark x={at(center)} y={y} isFirst={result === 'first'} />
      )}
    </g>
  );
}

type MarkerProps = { x: string; y: number; radius: number; marker: RowsProps['marker']; color: string };

function Marker({ x, y, radius, marker, color }: MarkerProps) {
  return marker === 'circle' ? (
    <circle cx={x} cy={y} r={radius} fill={color} />
  ) : (
    <svg x={x} y={y} overflow="visible" focusable="false" aria-hidden="true">
      <path d={`M0 ${-radius}L${radius} 0L0 ${radius}L${-radius} 0Z`} fill={color} />
    </svg>
  );
}
