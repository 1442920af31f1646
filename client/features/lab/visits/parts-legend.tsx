import figure from '../../../components/figure.module.css';
import { PartLegend } from '../../../components/part-legend.tsx';
import classes from '../lab.module.css';

const parts = [
  { label: 'DNS and connecting', fill: 'hatched' },
  { label: 'TLS handshake', fill: 'solid' },
  { label: 'Waiting for the first byte', fill: 'half' },
  { label: 'Receiving', fill: 'pale' },
] as const;

export function PartsLegend({ colors }: { colors: readonly string[] }) {
  return (
    <div className={classes.legends}>
      <PartLegend parts={parts} colors={colors} />
      <ul className={figure.legend}>
        <li>
          <span className={classes.queued} /> Queued
        </li>
        <li>
          <span className={classes.cached} /> From the cache
        </li>
        <li>
          <span className={classes.paint} /> Paint
        </li>
        <li>
          <span className={classes.load} /> Load
        </li>
      </ul>
    </div>
  );
}
