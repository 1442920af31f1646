import { printNumber } from '../../../shared/base/quantity.ts';
import type { ProbedCertificate, VersionReport } from '../../../shared/target/probe.ts';
import {
  connectionCells,
  connectionColumns,
  probeFacts,
  versionNames,
} from '../../../shared/words/probe-lines.ts';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';

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
