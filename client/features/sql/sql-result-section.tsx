import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { SqlResult, SqlValue } from '../../../shared/measurement/history.ts';
import { Card } from '../../components/card.tsx';
import type { Column } from '../../components/data-table.tsx';
import { LongTable } from '../../components/long-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { printCount } from '../../format/count.ts';
import { isNumeric, labelsOf, printCsv, printJsonLines, printValue } from './sql-rows.ts';

const atFirst = 100;

type Line = { place: number; values: SqlValue[] };

export function SqlResultSection({ result }: { result: SqlResult }) {
  const { rows, cut } = result;
  const lines = rows.map((values, place): Line => ({ place, values }));
  const columns = labelsOf(result).map((label, index) => columnOf(result, label, index));
  return (
    <Section id="result" title={printCount(rows.length, 'row')}>
      {cut === null ? null : (
        <Notice tone="warn" title={cut}>
          <p>Narrow the query with a condition, or group the rows.</p>
        </Notice>
      )}
      <div className="row">
        <Button
          variant="default"
          size="sm"
          onClick={() => saveText('tls-toll.csv', 'text/csv', printCsv(result))}
        >
          Download CSV
        </Button>
        <Button
          variant="default"
          size="sm"
          onClick={() => saveText('tls-toll.jsonl', 'application/jsonl', printJsonLines(result))}
        >
          Download JSON Lines
        </Button>
      </div>
      {columns.length === 0 || rows.length === 0 ? null : (
        <Card flush>
          <LongTable
            caption="Result of the query"
            columns={columns}
            rows={lines}
            keyOf={({ place }) => place}
            first={atFirst}
            what="row"
            narrow="scroll"
            testId="sql-result"
          />
        </Card>
      )}
    </Section>
  );
}

function columnOf(result: SqlResult, label: string, index: number): Column<Line> {
  const linked = result.columns[index] === 'measurement_id';
  return {
    label,
    numeric: isNumeric(result, index),
    cell: ({ values }) => {
      const value = values[index] ?? null;
      return linked && typeof value === 'string' ? (
        <Link to={`/r/${value}`}>{value}</Link>
      ) : (
        printValue(value)
      );
    },
  };
}

/** Hands a text to the browser as a file that it saves. */
function saveText(fileName: string, mediaType: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
