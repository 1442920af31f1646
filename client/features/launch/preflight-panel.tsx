import type { TlsVersion } from '../../../shared/base/tls-profile.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import { printTlsVersion } from '../../../shared/words/negotiated-words.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { CheckColumns } from '../../components/check-columns.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { checkColumns } from '../../format/check-column.ts';
import classes from './preflight-panel.module.css';

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
      {report.untrusted === null ? null : <Trust fingerprint={report.untrusted} onTrust={onTrust} />}
      {report.otherVersion === null || onVersion === null ? null : (
        <Version version={report.otherVersion} onVersion={onVersion} />
      )}
      {report.twinProposal === null ? null : <Twin origin={report.twinProposal} onTwin={onTwin} />}
      <CheckColumns columns={checkColumns(report)} />
    </section>
  );
}

function Trust({ fingerprint, onTrust }: { fingerprint: string; onTrust: Props['onTrust'] }) {
  return (
    <div className={classes.trust}>
      <p>
        SHA-256 <code>{fingerprint}</code>
      </p>
      <ActionButton variant="default" onClick={() => onTrust(fingerprint)}>
        Trust this certificate for this run
      </ActionButton>
    </div>
  );
}

function Version({
  version,
  onVersion,
}: {
  version: TlsVersion;
  onVersion: NonNullable<Props['onVersion']>;
}) {
  return (
    <div className={classes.trust}>
      <ActionButton variant="default" onClick={() => onVersion(version)}>
        Use {printTlsVersion(version)} for this run
      </ActionButton>
    </div>
  );
}

function Twin({ origin, onTwin }: { origin: string; onTwin: Props['onTwin'] }) {
  return (
    <div className={classes.trust}>
      <p>
        <code>{new URL(origin).host}</code> belongs to the same server. Use it as the twin?
      </p>
      <ActionButton variant="default" onClick={() => onTwin(origin)}>
        Use as twin
      </ActionButton>
    </div>
  );
}
