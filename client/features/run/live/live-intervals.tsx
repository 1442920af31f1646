import { printChange, printChangeInterval } from '../../../../shared/base/quantity.ts';
import { metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { Badge } from '../../../components/badge.tsx';
import { DistributionStrip } from '../../../components/distribution-strip.tsx';
import { Section } from '../../../components/section.tsx';
import { changeOf } from '../../../format/change-of.ts';
import { printCount } from '../../../format/count.ts';
import type { Sides } from '../../../format/side.ts';
import { asideInWords } from '../windows.ts';
import type { LiveFigures } from './live-figures.ts';
import classes from './live-intervals.module.css';

type Props = { figures: LiveFigures; sides: Sides };

/** The primary metrics' intervals so far. Their centers are not printed: a number that still moves must not be quoted. */
export function LiveIntervals({ figures: { intervals, windows, launches }, sides }: Props) {
  const seen = metrics.flatMap(({ id, title, primary }) => {
    const interval = intervals[id];
    return primary && interval !== undefined ? [{ id, title, interval }] : [];
  });
  if (seen.length === 0) return null;
  const aside = asideInWords(windows);
  return (
    <Section
      id="intervals"
      title={`${sides.comparison.label} relative to ${sides.baseline.label} so far`}
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> 95 % confidence intervals from{' '}
          {printCount(launches, 'launch')}
          {aside === null ? '' : `, ${aside}`}. They narrow as the run goes on.
        </>
      }
    >
      <ul className={classes.intervals} aria-label="Provisional intervals" data-testid="live-intervals">
        {seen.map(({ id, title, interval }) => (
          <li key={id}>
            <p className={classes.title}>{title}</p>
            <p className={classes.interval}>{printChangeInterval(interval)}</p>
            <DistributionStrip
              marks={[]}
              nulls={[]}
              interval={changeOf(interval)}
              label={`${title}: provisional 95 % confidence interval ${printChangeInterval(interval)}`}
              print={(change) => printChange(1 + change)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
