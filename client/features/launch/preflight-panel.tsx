import type { Check, PreflightReport, PreflightSide } from '../../../shared/preflight.ts';
import { troubleOf } from '../../api/trouble.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { SideMark } from '../../components/side-mark.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { type Side, sidesOf } from '../../format/side.ts';
import classes from './preflight-panel.module.css';

type Props = { pending: boolean; report: PreflightReport | undefined; error: Error | null };

/** What each side is, in two columns; an error stands in the column that it belongs to. */
export function PreflightPanel({ pending, report, error }: Props) {
  if (pending) return <Waiting>Checking both sides</Waiting>;
  if (error !== null) return <TroubleNotice trouble={troubleOf(error)} />;
  if (report === undefined) return null;
  const sides = sidesOf(report.transports);
  return (
    <section className={classes.panel} aria-label="Check of the target">
      <p className={classes.summary} role="status" data-ok={report.ok}>
        <Icon name={report.ok ? 'check' : 'cross'} />
        {report.ok ? 'Both sides can be compared.' : 'This target cannot be measured as it is.'}
      </p>
      <div className={classes.columns}>
        <Column side={sides.http} result={report.sides[0]} />
        <Column side={sides.https} result={report.sides[1]} />
      </div>
    </section>
  );
}

function Column({ side, result }: { side: Side; result: PreflightSide }) {
  return (
    <section aria-label={side.label} className={classes.column}>
      <h3>
        <SideMark {...side} /> {side.label}
      </h3>
      <p className={classes.origin}>
        {result.origin}
        {result.address === null ? '' : ` at ${result.address}`}
      </p>
      <ul className={classes.checks}>
        {result.checks.map((check) => (
          <CheckLine key={check.id} check={check} />
        ))}
      </ul>
    </section>
  );
}

const looks: Record<Check['status'], { icon: IconName; word: string }> = {
  pass: { icon: 'check', word: 'passed' },
  warn: { icon: 'exclamation', word: 'warning' },
  fail: { icon: 'cross', word: 'failed' },
  skipped: { icon: 'minus', word: 'skipped' },
};

function CheckLine({ check }: { check: Check }) {
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
