import type { PreflightReport } from '../../../shared/preflight.ts';
import { troubleOf } from '../../api/trouble.ts';
import { CheckColumns } from '../../components/check-columns.tsx';
import { Icon } from '../../components/icon.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { checkColumns } from '../../format/check-column.ts';
import classes from './preflight-panel.module.css';

type Props = { pending: boolean; report: PreflightReport | undefined; error: Error | null };

/** What each side is, in two columns; an error stands in the column that it belongs to. */
export function PreflightPanel({ pending, report, error }: Props) {
  if (pending) return <Waiting>Checking both sides</Waiting>;
  if (error !== null) return <TroubleNotice trouble={troubleOf(error)} />;
  if (report === undefined) return null;
  return (
    <section className={classes.panel} aria-labelledby="preflight-title">
      <h2 id="preflight-title" className={classes.title}>
        Check of the target
      </h2>
      <p className={classes.summary} role="status" data-ok={report.ok}>
        <Icon name={report.ok ? 'check' : 'cross'} />
        {report.ok ? 'Both sides can be compared.' : 'This target cannot be measured as it is.'}
      </p>
      <CheckColumns columns={checkColumns(report)} />
    </section>
  );
}
