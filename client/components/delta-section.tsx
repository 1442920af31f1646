import type { ReactNode } from 'react';
import type { DeltaParts, ShownDelta } from '../format/shown-delta.ts';
import type { Sides } from '../format/sides.ts';
import { niceTicks, ratioTicks } from '../format/ticks.ts';
import { Card, LookBadge, useScopedId } from './card.tsx';
import { SideMark } from './pills.tsx';
import { ShiftScale, ShiftStrip } from './strips.tsx';
import classes from './table.module.css';
import { Term } from './term.tsx';

type Props = DeltaTableProps &
  Pick<DeltaParts, 'unmeasured'> & {
    id: string;
    label: string;
    /** Meaning of a hollow mark. */
    mark: ReactNode;
    twin: ReactNode;
  };

/** Every figure on one axis: what the verdict rests on first, and what was not measured in one line. */
export function DeltaSection({ id, label, mark, twin, unmeasured, ...table }: Props) {
  return (
    <section id={useScopedId(id)} aria-label={label} className={classes.section}>
      <Card flush>
        <DeltaTable {...table} />
      </Card>
      <p className="soft">
        <span className={classes.bar} /> {table.ci} and center <span className={classes.deltaSectionHollow} />{' '}
        {mark} <span className={classes.deltaSectionBand} /> {twin} <span className={classes.dashed} />{' '}
        tolerance, ±{Math.round(100 * table.tolerance)} %
      </p>
      <Unmeasured rows={unmeasured} />
    </section>
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

type DeltaTableProps = Omit<DeltaParts, 'unmeasured'> & {
  caption: string;
  /** Head of the first column. */
  of: string;
  /** `95 % CI`. */
  ci: string;
  sides: Sides;
};

/** One row a figure. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
function DeltaTable(props: DeltaTableProps) {
  const { caption, of, ci, primary, others, axis, sides } = props;
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
          <HeadCell numeric>Shift, {ci}</HeadCell>
          <HeadCell>Outcome</HeadCell>
          <HeadCell>
            <ShiftScale axis={axis} />
            <span className="hidden">On one axis</span>
          </HeadCell>
        </tr>
      </thead>
      {[
        { name: 'primary', rows: primary },
        { name: 'others', rows: others },
      ].map(({ name, rows }) => (
        <tbody key={name} data-part={name} {...role('rowgroup')}>
          {rows.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ row, axis, tolerance, sides }: { row: ShownDelta } & DeltaTableProps) {
  const { id, title, meaning, lines, shift, look, strip } = row;
  return (
    <tr id={useScopedId(row.anchor)} data-testid={`metric-row-${id}`} {...role('row')}>
      <th scope="row" {...role('rowheader')} className={classes.metric}>
        <Term meaning={meaning}>{title}</Term>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </th>
      <td data-side={sides.baseline.label} data-numeric {...role('cell')}>
        {row.baseline ?? '–'}
      </td>
      <td data-side={sides.comparison.label} data-numeric {...role('cell')}>
        {row.comparison ?? '–'}
      </td>
      <td data-numeric {...role('cell')} className={classes.shift}>
        {shift === null ? (
          '–'
        ) : (
          <div>
            <strong data-real={shift.center !== null}>{shift.center ?? shift.interval}</strong>
            {shift.center === null ? null : <span>{shift.interval}</span>}
            {shift.absolute === null ? null : (
              <span className={classes.absolute}>
                <span>{shift.absolute}</span>{' '}
                {shift.absoluteInterval === null ? null : <span>({shift.absoluteInterval.ends})</span>}
              </span>
            )}
          </div>
        )}
      </td>
      <td {...role('cell')} className={classes.deltaTableOutcome} colSpan={strip === null ? 2 : undefined}>
        <LookBadge look={look} />
      </td>
      {strip === null ? null : (
        <td {...role('cell')} className={classes.strip}>
          <ShiftStrip {...strip} axis={axis} tolerance={tolerance} />
        </td>
      )}
    </tr>
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
  /** True for a row of another result, shown for comparison. */
  pale?: boolean;
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

/** Named intervals below each other on one axis, which always holds zero. */
export function IntervalRows({
  label,
  rows,
  level,
  band,
  tolerance = 0,
  color,
  marker,
  print,
  ratios = false,
}: RowsProps) {
  const values = rows.flatMap(({ interval, hollow }) => [interval.lo, interval.hi, hollow ?? 0]);
  const place = (value: number) => (ratios ? Math.log1p(value) : value);
  const [from, to] = spread(
    [-tolerance, tolerance, ...values, ...(band === null ? [] : [band.lo, band.hi])].map(place),
  );
  const ticks = ratios
    ? ratioTicks(Math.exp(from), Math.exp(to), 4).map((ratio) => ratio - 1)
    : niceTicks(from, to, 4);
  const at = (value: number) => `${((place(value) - from) / (to - from)) * 100}%`;
  const width = (lo: number, hi: number) => `${((place(hi) - place(lo)) / (to - from)) * 100}%`;
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
        <svg className={classes.drawing} height={height} focusable="false">
          <title>{label}</title>
          {band === null ? null : (
            <rect
              x={at(band.lo)}
              width={width(band.lo, band.hi)}
              y="0"
              height={height}
              className={classes.intervalRowsBand}
            />
          )}
          {tolerance === 0 ? null : (
            <rect
              x={at(-tolerance)}
              width={width(-tolerance, tolerance)}
              y="0"
              height={height}
              className={classes.tolerance}
            />
          )}
          <line x1={at(0)} x2={at(0)} y1="0" y2={height} className={classes.zero} />
          <line x1={at(level)} x2={at(level)} y1="0" y2={height} className={classes.level} stroke={color} />
          {rows.map((row, index) => (
            <Drawn
              key={row.name}
              row={row}
              y={(index + 0.5) * rowHeight}
              at={at}
              color={color}
              marker={marker}
            />
          ))}
        </svg>
        <div className={classes.intervalRowsAxis}>
          {ticks.map((tick) => (
            <span key={tick} style={{ insetInlineStart: at(tick) }}>
              {print(tick)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

type DrawnProps = Pick<RowsProps, 'color' | 'marker'> & {
  row: IntervalRow;
  y: number;
  at: (value: number) => string;
};

function Drawn({ row: { interval, hollow, strong, pale }, y, at, color, marker }: DrawnProps) {
  return (
    <g className={pale === true ? classes.pale : undefined}>
      {hollow === null ? null : (
        <circle cx={at(hollow)} cy={y} r="4.5" className={classes.intervalRowsHollow} />
      )}
      <line
        x1={at(interval.lo)}
        x2={at(interval.hi)}
        y1={y}
        y2={y}
        stroke={color}
        strokeWidth={strong === true ? 6 : 2.5}
        strokeLinecap="round"
      />
      <Marker x={at(interval.center)} y={y} radius={strong === true ? 8 : 6} marker={marker} color={color} />
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

function spread(values: readonly number[]): [number, number] {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  const margin = (hi - lo || 1) * 0.05;
  return [lo - margin, hi + margin];
}
