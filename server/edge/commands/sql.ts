import { sqlEndpoints } from '../../../shared/api/question-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { HistoryColumn } from '../../../shared/measurement/history-view.ts';
import {
  historyViews,
  isNoIntervalEnd,
  printSqlValue,
  type SqlRequest,
  type SqlResult,
  sqlExamples,
  sqlLimits,
  sqlRequestSchema,
} from '../../../shared/results/history.ts';
import { alignColumns, printCsvLines, printLines } from '../../base/text/terminal.ts';
import { readConfig } from '../settings/config.ts';
import { connectTo, findDashboard } from './api-client.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { verb } from './verb.ts';

const options = verb('sql')
  .description('Queries all runs with SQL. Without a query, lists the views.')
  .argument('[query]', 'One SELECT, such as "select cell, cpu_ratio from v_servers"')
  .option('--csv', 'Print CSV')
  .option('--json', 'Print a JSON array with an object for each row')
  .option('--limit <n>', `Maximum number of rows (default: ${sqlLimits.rows})`, numberIn)
  .addHelpText('after', () => `\n${describeViews()}`);

export async function sql(args: string[]): Promise<number> {
  const asked = parseSql(args);
  if (asked === null) {
    process.stdout.write(describeViews());
    return 0;
  }
  const result = await ask(asked.request);
  process.stdout.write(printers[asked.format](result));
  if (result.cut !== null) process.stderr.write(`${result.cut}\n`);
  return 0;
}

type Format = 'csv' | 'json' | 'table';

const printers: Record<Format, (result: SqlResult) => string> = {
  csv: printSqlCsv,
  json: printSqlJson,
  table: printSqlTable,
};

/** Null without a query. Throws invalid_arguments. */
export function parseSql(args: string[]): { request: SqlRequest; format: Format } | null {
  const [query] = options.parse(args, { from: 'user' }).processedArgs;
  const { csv = false, json = false, limit } = options.opts();
  if (query === undefined) return null;
  if (csv && json) throw problem('invalid_arguments', 'Choose one of --csv and --json.');
  const request = parsedBy(sqlRequestSchema, { sql: query, limit });
  return { request, format: csv ? 'csv' : json ? 'json' : 'table' };
}

/** The dashboard of the data directory has its database; without one it is opened here, and nothing else. */
async function ask(request: SqlRequest): Promise<SqlResult> {
  const running = await findDashboard();
  if (running !== null) return connectTo(running).call(sqlEndpoints.sql, { body: request });
  const { dataDirectory: directory, databaseUrl: url } = readConfig(process.env);
  const { askHistoryAlone } = await import('../../life/measurement/bin-and-history.ts');
  const { allKinds } = await import('../start/all-kinds.ts');
  return askHistoryAlone({ directory, url }, allKinds, request);
}

/** The views with their columns, and queries to begin with. */
export function describeViews(): string {
  const views = historyViews.flatMap(({ name, row, columns }) => {
    const lines = columns
      .filter(isNoIntervalEnd)
      .map((column) => [nameColumn(column, columns), column.type, column.about]);
    return [`${name}: ${row}`, ...alignColumns(lines, 'l').map((line) => `  ${line}`), ''];
  });
  const examples = sqlExamples.flatMap(({ title, sql }) => [
    '',
    `  ${title}:`,
    ...sql.split('\n').map((line) => `    ${line}`),
  ]);
  const estimates =
    'A column marked ± has a 95 % CI in two more columns, such as cpu_ratio_lo and cpu_ratio_hi.';
  return printLines(['Views', '', ...views, estimates, '', 'Examples', ...examples]);
}

function nameColumn({ name }: HistoryColumn, all: readonly HistoryColumn[]): string {
  return all.some((other) => other.name === `${name}_lo`) ? `${name} ±` : name;
}

export function printSqlCsv({ columns, rows }: SqlResult): string {
  const cells = rows.map((row) => row.map((value) => (typeof value === 'boolean' ? String(value) : value)));
  return printCsvLines([columns, ...cells]);
}

/** An object for each row, a line each. */
export function printSqlJson({ columns, rows }: SqlResult): string {
  const lines = rows.map((row) =>
    JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
  );
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

/** For a terminal: numbers to the right, with six digits. */
export function printSqlTable({ columns, rows }: SqlResult): string {
  const numeric = columns.map((_, column) =>
    rows.every((row) => row[column] === null || typeof row[column] === 'number'),
  );
  const lines = [columns, ...rows.map((row) => row.map(printSqlValue))];
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return printLines([...alignColumns(lines, numeric.map((each) => (each ? 'r' : 'l')).join('')), '', count]);
}
