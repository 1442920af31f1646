import { printChange, printChangeInterval } from '../../../../shared/base/quantity.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { Badge } from '../../../components/badge.tsx';
import { DistributionStrip } from '../../../components/distribution-strip.tsx';
import { Section } from '../../../components/section.tsx';
import { changeOf } from '../../../format/change-of.ts';
import { printCount } from '../../../format/count.ts';
import type { Sides } from '../../../format/side.ts';
import classes from '../run.module.css';
import { asideInWords } from '../windows.ts';
import type { LiveFigures } from './live-figures.ts';

type Props = { figures: LiveFigures; sides: Sides };

const { title } = metricOf('cpu_at_load');

/** The headline's interval so far. Its center is not printed: a number that still moves must not be quoted. */
export function LiveInterval({ figures: { interval, windows, launches }, sides }: Props) {
  if (interval === null) return null;
  const aside = asideInWords(windows);
  return (
    <Section
      id="intervals"
      title={`${sides.comparison.label} relative to ${sides.baseline.label} so far`}
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> 95 % confidence interval from{' '}
          {printCount(launches, 'launch')}
          {aside === null ? '' : `, ${aside}`}. It can still move.
        </>
      }
    >
      <div className={classes.headline} data-testid="live-interval">
        <p className={classes.title}>{title}</p>
        <p className={classes.interval}>{printChangeInterval(interval)}</p>
        <DistributionStrip
          marks={[]}
          nulls={[]}
          interval={changeOf(interval)}
          label={`${title}: provisional 95 % confidence interval ${printChangeInterval(interval)}`}
          print={(change) => printChange(1 + change)}
        />
      </div>
    </Section>
  );
}
