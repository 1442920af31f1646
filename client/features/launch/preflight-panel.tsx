import type { ReactNode } from 'react';
import type { TlsVersion } from '../../../shared/base/tls-profile.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import { printTlsVersion } from '../../../shared/words/negotiated-words.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { CheckColumns } from '../../components/check-columns.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { checkColumns } from '../../format/check-column.ts';
import classes from './launch.module.css';

type Props = {
  pending: boolean;
  report: PreflightAnswer | undefined;
  error: Error | null;
  onTrust: (fingerprint: string) => void;
  onTwin: (origin: string) => void;
  /** Null where the versions are what is compared. */
  onVersion: ((version: TlsVersion) => void) | null;
};

/** What each side is, in two columns; an error stands in the column that it belongs to. */
export function PreflightPanel({ pending, report, error, onTrust, onTwin, onVersion }: Props) {
  if (pending) return <Waiting>Checking both sides</Waiting>;
  if (error !== null) return <ProblemNotice error={error} />;
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
      {report.untrusted === null ? null : (
        <Offer action="Trust this certificate for this run" onTake={onTrust} value={report.untrusted}>
          SHA-256 <code>{report.untrusted}</code>
        </Offer>
      )}
      {report.otherVersion === null || onVersion === null ? null : (
        <Offer
          action={`Use ${printTlsVersion(report.otherVersion)} for this run`}
          onTake={onVersion}
          value={report.otherVersion}
        />
      )}
      {report.twinProposal === null ? null : (
        <Offer action="Use as twin" onTake={onTwin} value={report.twinProposal}>
          <code>{new URL(report.twinProposal).host}</code> belongs to the same server. Use it as the twin?
        </Offer>
      )}
      <CheckColumns columns={checkColumns(report)} />
    </section>
  );
}

type OfferProps<Value> = {
  action: string;
  value: Value;
  onTake: (value: Value) => void;
  children?: ReactNode;
};

/** A change of the form that the check proposes. */
function Offer<Value>({ action, value, onTake, children }: OfferProps<Value>) {
  return (
    <div className={classes.trust}>
      {children === undefined ? null : <p>{children}</p>}
      <ActionButton variant="default" onClick={() => onTake(value)}>
        {action}
      </ActionButton>
    </div>
  );
}
