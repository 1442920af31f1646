import classes from './check-columns.module.css';
import { Icon, type IconName } from './icon.tsx';
import { SideMark } from './side-mark.tsx';

type CheckColumn = {
  side: { label: string; color: string; dashed: boolean; marker: 'circle' | 'diamond' };
  subtitle: string;
  checks: readonly CheckLine[];
};

type CheckLine = {
  id: string;
  title: string;
  status: 'pass' | 'warn' | 'fail' | 'skipped';
  message: string;
};

/** Lists of checks side by side, each with its mark and its words. */
export function CheckColumns({ columns }: { columns: readonly CheckColumn[] }) {
  return (
    <div className={classes.columns}>
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

const looks: Record<CheckLine['status'], { icon: IconName; word: string }> = {
  pass: { icon: 'check', word: 'passed' },
  warn: { icon: 'exclamation', word: 'warning' },
  fail: { icon: 'cross', word: 'failed' },
  skipped: { icon: 'minus', word: 'skipped' },
};

function CheckItem({ check }: { check: CheckLine }) {
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
