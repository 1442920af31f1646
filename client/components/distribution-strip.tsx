import classes from './figure.module.css';

type Strip = {
  /** Single observations. */
  marks: readonly number[];
  /** The same observations where nothing but noise was measured, drawn hollow. */
  nulls: readonly number[];
  interval: { lo: number; center: number; hi: number };
  /** What the strip shows, for those who do not see it. */
  label: string;
  print: (value: number) => string;
};

/** Observations as dots over their interval, on an axis that always holds zero. */
export function DistributionStrip({ marks, nulls, interval, label, print }: Strip) {
  const [from, to] = domainOf([0, interval.lo, interval.hi, ...marks, ...nulls]);
  const at = (value: number) => `${((value - from) / (to - from)) * 100}%`;
  return (
    <div className={classes.strip}>
      <svg className={classes.distributionStripDrawing} role="img" aria-label={label}>
        <title>{label}</title>
        <line x1={at(0)} x2={at(0)} y1="0" y2="34" className={classes.zero} />
        {nulls.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: observations have no name but their place in the row
          <circle key={index} cx={at(value)} cy={rowOf(index)} r="2.25" className={classes.null} />
        ))}
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: observations have no name but their place in the row
          <circle key={index} cx={at(mark)} cy={rowOf(index)} r="2.75" className={classes.dot} />
        ))}
        <rect
          x={at(interval.lo)}
          width={`${((interval.hi - interval.lo) / (to - from)) * 100}%`}
          y="25"
          height="5"
          rx="2.5"
          className={classes.distributionStripInterval}
        />
        <rect
          x={at(interval.center)}
          y="22"
          width="3"
          height="11"
          rx="1.5"
          className={classes.distributionStripCenter}
        />
      </svg>
      <div className={classes.distributionStripAxis} aria-hidden="true">
        <span>{print(from)}</span>
        <span>{print(to)}</span>
      </div>
    </div>
  );
}

/** Spread over the height, so that equal observations do not hide each other. */
function rowOf(index: number): number {
  return 7 + ((index * 5) % 12);
}

function domainOf(values: number[]): [number, number] {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  const margin = (hi - lo || 1) * 0.06;
  return [lo - margin, hi + margin];
}
