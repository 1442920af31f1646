import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import Papa from 'papaparse';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { sqlEndpoints } from '../../../shared/api/question-endpoints.ts';
import {
  historyViews,
  isNoIntervalEnd,
  printSqlValue,
  type SqlResult,
  type SqlValue,
  sqlExamples,
} from '../../../shared/results/history.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { type Column, LongTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form-fields.tsx';
import { printCount } from '../../format/printed-figures.ts';
import classes from './sql.module.css';

/** The query is in the address once it has run, so a link brings it along. */
export default function SqlPage() {
  const [address, setAddress] = useSearchParams();
  const [sql, setSql] = useState(address.get('sql') ?? sqlExamples[0]?.sql ?? '');
  const query = useMutation({
    mutationFn: (asked: string) => callEndpoint(sqlEndpoints.sql, { body: { sql: asked } }),
  });
  function run(asked: string) {
    setSql(asked);
    setAddress({ sql: asked }, { replace: true, preventScrollReset: true });
    query.mutate(asked);
  }
  return (
    <>
      <PageHead tab="SQL" title="Query your runs">
        <p>
          Runs, meshes, and sweeps over servers and sizes, as SQL views.{' '}
          <Link to="/docs/sql">Columns and limits</Link>
        </p>
      </PageHead>
      <Card>
        <SqlForm sql={sql} pending={query.isPending} onChange={setSql} onRun={run} />
      </Card>
      <div className={classes.answer}>
        <Answer of={query} waiting="Running the query">
          {(result) => <SqlResultSection result={result} />}
        </Answer>
      </div>
    </>
  );
}

type Props = {
  sql: string;
  pending: boolean;
  onChange: (sql: string) => void;
  onRun: (sql: string) => void;
};

export function SqlForm({ sql, pending, onChange, onRun }: Props) {
  return (
    <Form
      className="stack wide"
      noValidate
      onSubmit={() => {
        if (!pending) onRun(sql);
      }}
    >
      <fieldset className={classes.examples}>
        <legend>Examples</legend>
        {sqlExamples.map((example) => (
          <Button
            key={example.title}
            variant="default"
            size="compact-sm"
            disabled={pending}
            onClick={() => onRun(example.sql)}
          >
            {example.title}
          </Button>
        ))}
      </fieldset>
      <Textarea
        label="Query"
        description="One SELECT. Ctrl+Enter runs it."
        classNames={{ input: classes.code ?? '' }}
        autosize
        minRows={5}
        maxRows={24}
        value={sql}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <ViewColumns />
      <div>
        <ActionButton type="submit" size="md" pending={pending} blocked={sql.trim() === ''}>
          Run query
        </ActionButton>
      </div>
    </Form>
  );
}

/** Views and columns that a query can use, next to the editor. */
export function ViewColumns() {
  return (
    <details className={classes.views}>
      <summary>Views and columns</summary>
      <p>
        A column marked ± has a 95 % CI in two more columns, such as <code>cpu_ratio_lo</code> and{' '}
        <code>cpu_ratio_hi</code>.
      </p>
      {historyViews.map(({ name, row, columns }) => (
        <div key={name}>
          <h3>
            <code>{name}</code>: {row}
          </h3>
          <p className={classes.columns}>
            {columns.filter(isNoIntervalEnd).map((column) => (
              <code key={column.name} title={column.about}>
                {column.name}
                {columns.some((other) => other.name === `${column.name}_lo`) ? ' ±' : ''}
              </code>
            ))}
          </p>
        </div>
      ))}
    </details>
  );
}

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
        printSqlValue(value)
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

/** The rows of a result, for the table and as files. */

/** Names of the columns, each once: SQL may give two the same. */
export function labelsOf({ columns }: Pick<SqlResult, 'columns'>): string[] {
  return columns.map((column, index) => {
    const earlier = columns.slice(0, index).filter((other) => other === column).length;
    return earlier === 0 ? column : `${column} (${earlier + 1})`;
  });
}

export function isNumeric({ rows }: Pick<SqlResult, 'rows'>, column: number): boolean {
  const values = rows.map((row) => row[column]).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

/** Text that a spreadsheet would take for a formula, whatever follows. The library's own pattern misses texts of several lines. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

export function printCsv(result: SqlResult): string {
  const fields = labelsOf(result);
  const text = Papa.unparse({ fields, data: result.rows }, { newline: '\r\n', escapeFormulae: formula });
  return `${text}\r\n`;
}

export function printJsonLines(result: SqlResult): string {
  const labels = labelsOf(result);
  return result.rows
    .map(
      (row) => `${JSON.stringify(Object.fromEntries(labels.map((label, index) => [label, row[index]])))}\n`,
    )
    .join('');
}
