import { sqlEndpoints } from '../../../shared/api/sql-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import {
  type SqlRequest,
  type SqlResult,
  sqlLimits,
  sqlRequestSchema,
} from '../../../shared/measurement/history.ts';
import { readConfig } from '../config.ts';
import { connectTo } from './api-client.ts';
import { describeViews } from './describe-views.ts';
import { findDashboard } from './find-dashboard.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { printSqlCsv, printSqlJson, printSqlTable } from './print-sql.ts';
import { verb } from './verb.ts';

const options = verb('sql')
  .description('Queries all measurements with SQL. Without a query, lists the views.')
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
  const { askHistoryAlone } = await import('../../life/measurement/read/ask-history-alone.ts');
  const { allKinds } = await import('../all-kinds.ts');
  return askHistoryAlone({ directory, url }, allKinds, request);
}
