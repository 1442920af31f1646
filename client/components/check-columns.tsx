import type { Check } from '../../shared/target/preflight.ts';
import type { CheckColumn } from '../format/check-column.ts';
import type { IconName } from '../format/icon-paths.ts';
import { Icon } from './icon.tsx';
import classes from './page.module.css';
import { SideMark } from './side-mark.tsx';

export function CheckColumns({ columns }: { columns: readonly CheckColumn[] }) {
  return (
    <div className={classes.checkColumns}>
      {columns.map(({ side, subtitle, checks }) => (
        <section key={side.label} aria-label={side.label} className={classes.column}>
          <h3>
            <SideMark {...side} /> {side.label}
          </h3>
          <p className={classes.subtitle}>{subtitle}</p>
          <ul className={classes.checks}>
            {checks.map((check) => (
              <CheckItem key={check.id} check={check} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const looks: Record<Check['status'], { icon: IconName; word: string }> = {
  pass: { icon: 'check', word: 'passed' },
  warn: { icon: 'exclamation', word: 'warning' },
  fail: { icon: 'cross', word: 'failed' },
  skipped: { icon: 'minus', word: 'skipped' },
};

function CheckItem({ check }: { check: Check }) {
  const { icon, word } = looks[check.status];
  return (
    <li data-status={check.status}>
      <Icon name={icon} />
      <div>
        <strong>{check.title}</strong> <span className={classes.word}>{word}</span>
        <p>{check.message}</p>
      </div>
    </li>
  );
}
