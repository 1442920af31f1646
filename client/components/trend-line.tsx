import { printChange } from '../../shared/base/quantity.ts';
import type { TrendRun } from '../../shared/kinds/comparison/question-line.ts';
import { printCount } from '../format/count.ts';
import classes from './figure.module.css';

const width = 110;
const height = 30;
const edge = 4;

/** The figure of each run from the oldest to the newest, which has a dot; a tick marks each step of the level. */
export function TrendLine({ runs }: { runs: readonly Pick<TrendRun, 'id' | 'ratio' | 'isStep'>[] }) {
  const values = runs.map(({ ratio }) => Math.log(ratio.center));
  const [newest] = values.slice(-1);
  if (newest === undefined) return null;
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  // What is within two percent is drawn as level as it is.
  const span = Math.max(hi - lo, 0.04);
  const middle = (lo + hi) / 2;
  const x = (place: number) =>
    runs.length === 1 ? width - edge : edge + (place * (width - 2 * edge)) / (runs.length - 1);
  const y = (value: number) => height / 2 - ((value - middle) / span) * (height - 2 * edge);
  const label = inWords(runs);
  return (
    <svg className={classes.trend} width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      {runs.map(({ id, isStep }, place) =>
        isStep ? (
          <line key={id} x1={x(place)} x2={x(place)} y1="1" y2={height - 1} className={classes.step} />
        ) : null,
      )}
      <polyline points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')} />
      <circle cx={x(values.length - 1)} cy={y(newest)} r="3" />
    </svg>
  );
}

/** `20 runs between +31.2 % and +38.7 %, 1 step`. */
function inWords(runs: readonly Pick<TrendRun, 'ratio' | 'isStep'>[]): string {
  const centers = runs.map(({ ratio }) => ratio.center);
  const steps = runs.filter(({ isStep }) => isStep).length;
  const [least, most] = [Math.min(...centers), Math.max(...centers)].map((each) => printChange(each, 1));
  const range =
    runs.length === 1 ? `1 run, ${least}` : `${printCount(runs.length, 'run')} between ${least} and ${most}`;
  return steps === 0 ? range : `${range}, ${printCount(steps, 'step')}`;
}
