import { niceTicks } from '../format/nice-ticks.ts';
import { ratioTicks } from '../format/ratio-ticks.ts';
import classes from './table.module.css';

export type IntervalRow = {
  name: string;
  interval: { lo: number; center: number; hi: number };
  /** The same where nothing but noise was measured. */
  hollow: number | null;
  /** Sums up the others. */
  strong?: boolean;
  /** Of another result, beside which this one is shown. */
  pale?: boolean;
};

type Props = {
  /** What the drawing shows, for those who do not see it. */
  label: string;
  rows: readonly IntervalRow[];
  /** A value to compare with, drawn through all rows. */
  level: number;
  /** What noise alone reaches. */
  band: { lo: number; hi: number } | null;
  /** What is too little to matter, on both sides of zero; left out where nothing is. */
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
}: Props) {
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

type DrawnProps = Pick<Props, 'color' | 'marker'> & {
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

type MarkerProps = { x: string; y: number; radius: number; marker: Props['marker']; color: string };

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
