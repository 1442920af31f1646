import type { ProbeReport, VersionReport } from '../../../shared/target/probe.ts';
import { versionNames } from '../../../shared/words/probe-lines.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import classes from './probe.module.css';
import { VersionDetails } from './version-details.tsx';

export function ProbeResult({ report }: { report: ProbeReport }) {
  const { origin, address, trust, versions } = report;
  return (
    <>
      <Section id="verdict" title="Resumption" lead={`${origin} at ${address}`}>
        <Card>
          <div className="stack" role="status" data-testid="probe-verdict">
            {versions.map((version) => (
              <p key={version.version} className={classes.verdict} data-good={resumes(version)}>
                <Icon name={resumes(version) ? 'check' : 'exclamation'} />
                {version.status === 'answered'
                  ? version.verdict
                  : `${versionNames[version.version]}: ${version.reason}`}
              </p>
            ))}
          </div>
        </Card>
        {trust === null ? null : <Notice tone={trust.trusted ? 'good' : 'warn'}>{trust.message}</Notice>}
      </Section>
      {versions.map((version) =>
        version.status === 'answered' ? <VersionDetails key={version.version} report={version} /> : null,
      )}
    </>
  );
}

function resumes(report: VersionReport): boolean {
  if (report.status === 'refused') return false;
  const again = report.connections.slice(1);
  return again.every((connection) => connection.status === 'made' && connection.reused);
}
