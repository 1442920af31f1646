import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { probeEndpoints } from '../../../shared/api/example-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type ProbedCertificate,
  type ProbeReport,
  type ProbeRequestInput,
  probeRequestSchema,
  type VersionReport,
} from '../../../shared/target/probe.ts';
import { clientKeyName } from '../../../shared/target/target.ts';
import {
  connectionCells,
  connectionColumns,
  probeFacts,
  versionNames,
} from '../../../shared/words/probe-lines.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Card, Facts, Icon, Notice, OriginalWords, Section } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { AreaField, Form, MoreFields, TextField } from '../../components/form-fields.tsx';
import { LabTabs } from '../../components/start-form.tsx';
import classes from './probe.module.css';

export default function ProbePage() {
  const probe = useMutation({
    mutationFn: (body: ProbeRequestInput) => callEndpoint(probeEndpoints.probe, { body }),
  });
  return (
    <>
      <PageHead tab="Probe" title="Does the target resume sessions?" above={<LabTabs />}>
        <p>Connects with TLS 1.3 and 1.2, then reconnects five times. No request is sent.</p>
      </PageHead>
      <Card>
        <ProbeForm pending={probe.isPending} onProbe={(request) => probe.mutate(request)} />
      </Card>
      <div className={classes.answer}>
        <Answer of={probe} waiting="Connecting and reconnecting">
          {(report) => <ProbeResult report={report} />}
        </Answer>
      </div>
    </>
  );
}

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
            {versions.map((version) =>
              version.status === 'refused' ? (
                <OriginalWords key={version.version}>{version.details}</OriginalWords>
              ) : null,
            )}
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

type Answered = Extract<VersionReport, { status: 'answered' }>;

export function VersionDetails({ report }: { report: Answered }) {
  const name = versionNames[report.version];
  const rows = report.connections.map(connectionCells);
  return (
    <Section id={report.version.toLowerCase().replace('.', '-')} title={name}>
      <div className="stack">
        <Card>
          <Facts facts={probeFacts(report).map(([fact, value]) => ({ name: fact, value }))} />
        </Card>
        <Card flush>
          <DataTable
            caption={`Connections with ${name}`}
            columns={columns}
            rows={rows}
            keyOf={([first = '']) => first}
            testId={`connections-${report.version}`}
            narrow="scroll"
          />
        </Card>
        <Card flush>
          <DataTable
            caption={`Certificates sent with ${name}`}
            text
            columns={certificateColumns}
            rows={report.certificates}
            keyOf={({ subject, issuer }) => `${subject}/${issuer}`}
          />
        </Card>
      </div>
    </Section>
  );
}

const columns = connectionColumns.map(
  (label, index): Column<string[]> => ({ label, cell: (row) => row[index], numeric: index > 1 }),
);

const certificateColumns: Column<ProbedCertificate>[] = [
  { label: 'Certificate', cell: ({ subject }) => subject },
  { label: 'Signed by', cell: ({ issuer }) => issuer },
  { label: 'Key', cell: ({ key }) => key },
  { label: 'Valid', cell: ({ validFrom, validTo }) => `${validFrom} to ${validTo}` },
  { label: 'Bytes', cell: ({ bytes }) => printNumber(bytes, 0), numeric: true },
];

type Props = { pending: boolean; onProbe: (request: ProbeRequestInput) => void };

export function ProbeForm({ pending, onProbe }: Props) {
  const [form, setForm] = useState({ url: '', ca: '', clientCertificate: '', clientKey: '' });
  const [tried, setTried] = useState(false);
  const { url, ca, clientCertificate, clientKey } = form;
  const parsed = probeRequestSchema.safeParse({
    url: url.trim(),
    ...(ca.trim() === '' ? {} : { ca }),
    ...(clientCertificate.trim() === '' ? {} : { clientCertificate }),
    ...(clientKey.trim() === '' ? {} : { secrets: { [clientKeyName]: clientKey } }),
  });
  const fields = {
    form,
    set: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
    messages: (name: string) =>
      tried ? parsed.error?.issues.find(({ path }) => path[0] === name)?.message : undefined,
  };
  return (
    <Form
      className="stack"
      noValidate
      onSubmit={() => {
        setTried(true);
        if (parsed.success) onProbe(parsed.data);
      }}
    >
      <div className={classes.line}>
        <TextField
          {...fields}
          name="url"
          label="Target"
          description="On this machine, or on a host that is allowed."
          placeholder="https://localhost:8443"
          inputMode="url"
        />
        <ActionButton type="submit" pending={pending}>
          Probe target
        </ActionButton>
      </div>
      <MoreFields title="Certificates">
        <AreaField
          {...fields}
          name="ca"
          label="Certificate authority (PEM)"
          description="Optional. Verifies a certificate that is not from a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
        <AreaField
          {...fields}
          name="clientCertificate"
          label="Client certificate (PEM)"
          description="Where the target demands one."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
        <AreaField
          {...fields}
          name="clientKey"
          label="Its key (PEM)"
          description="Used for this probe, and never stored."
          placeholder="-----BEGIN PRIVATE KEY-----"
          rows={3}
        />
      </MoreFields>
    </Form>
  );
}
