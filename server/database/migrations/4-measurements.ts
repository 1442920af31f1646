import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { type AnyTables, eachRow, type Row } from './each-row.ts';

/**
 * Runs and measurements of the lab become measurements of a kind, with one table each for what both had.
 * Types of the tables are not used here: they describe the newest version only.
 */
export async function createMeasurementTables(queries: Kysely<unknown>): Promise<void> {
  const any = queries as Kysely<AnyTables>;
  await createTables(any);
  await carryRuns(any);
  await carryLabs(any);
  await carryParts(any);
  await dropEarlierTables(any);
}

/** Narrow columns come first: SQLite then reads a row of the list without touching the pages of the wide ones. */
async function createTables({ schema }: Kysely<AnyTables>): Promise<void> {
  await schema
    .createTable('measurements')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('delete_token_hash', 'text', (column) => column.notNull())
    .addColumn('idempotency_hash', 'text', (column) => column.unique())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('revision_id', 'text')
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('facts', 'text')
    .addColumn('environment', 'text')
    .execute();
  for (const [name, columns] of [
    ['measurements_by_time', ['created_at', 'id', 'search_text']],
    ['measurements_by_state', ['state', 'created_at', 'id', 'search_text']],
    ['measurements_by_kind', ['kind', 'created_at', 'id', 'search_text']],
    ['measurements_by_revision', ['revision_id']],
  ] as const) {
    await schema
      .createIndex(name)
      .on('measurements')
      .columns([...columns])
      .execute();
  }
  for (const [table, key, body] of [
    ['blocks', 'block_index', 'bytea'],
    ['events', 'id', 'text'],
  ] as const) {
    await schema
      .createTable(`measurement_${table}`)
      .addColumn('measurement_id', 'text', (column) =>
        column.notNull().references('measurements.id').onDelete('cascade'),
      )
      .addColumn(key, 'integer', (column) => column.notNull())
      .addColumn('body', body, (column) => column.notNull())
      .addPrimaryKeyConstraint(`measurement_${table}_key`, ['measurement_id', key])
      .execute();
  }
  await schema
    .createTable('measurement_documents')
    .addColumn('measurement_id', 'text', (column) =>
      column.primaryKey().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .execute();
}

async function carryRuns(queries: Kysely<AnyTables>): Promise<void> {
  await eachRow(queries, 'runs', async (row) => {
    await insert(queries, row, {
      kind: 'comparison',
      title: `${row.scenarioName} on ${row.targetName}`,
      searchText: row.searchText,
      revisionId: row.revisionId,
      summary: `{"scenario":${JSON.stringify(row.scenarioName)},"target":${JSON.stringify(row.targetName)},"preset":${JSON.stringify(row.preset)},"transports":${row.transports},"verdict":${row.verdict ?? 'null'}}`,
      facts: `{"scenario":${row.scenario},"revisionId":${JSON.stringify(row.revisionId)},"plan":${row.plan},"preflight":${row.preflight ?? 'null'},"cache":${row.cache ?? 'null'}}`,
      environment: row.environment,
    });
  });
}

const kindsOfLab: Record<string, string> = {
  handshakes: 'handshakes',
  speed: 'primitives',
  browser: 'journey',
};

/** One that was running had stored its document as it would stand if the server stopped, which it has. */
async function carryLabs(queries: Kysely<AnyTables>): Promise<void> {
  const documents = await queries.selectFrom('labDocuments').select('runId').execute();
  const kept = new Set(documents.map(({ runId }) => runId));
  await eachRow(queries, 'labs', async (row) => {
    const interrupted = row.state === 'running' && kept.has(row.id);
    const kind = kindsOfLab[String(row.kind)] ?? String(row.kind);
    await insert(queries, row, {
      kind,
      ...(interrupted ? { state: 'interrupted', endedAt: row.endedAt ?? row.startedAt } : {}),
      title: row.title,
      searchText: String(row.title).toLowerCase(),
      revisionId: null,
      summary: '{}',
      request: JSON.stringify({ ...JSON.parse(String(row.request)), kind }),
      problem:
        row.problem == null
          ? null
          : String(row.problem).replaceAll(/\blab_(?=cancelled|interrupted)/g, 'run_'),
      facts: null,
      environment: null,
    });
  });
}

const commonColumns = [
  'id',
  'createdAt',
  'startedAt',
  'endedAt',
  'state',
  'deleteTokenHash',
  'requestHash',
  'problem',
  'request',
] as const;

/** An idempotency key that a run and a measurement of the lab share stays with the run. Keys are kept as hashes from now on. */
async function insert(queries: Kysely<AnyTables>, row: Row, columns: Row): Promise<void> {
  const common = Object.fromEntries(commonColumns.map((name) => [name, row[name]]));
  const idempotencyHash =
    row.idempotencyKey == null ? null : createHash('sha256').update(String(row.idempotencyKey)).digest('hex');
  const taken =
    idempotencyHash !== null &&
    (await queries
      .selectFrom('measurements')
      .select('id')
      .where('idempotencyHash', '=', idempotencyHash)
      .executeTakeFirst()) !== undefined;
  await queries
    .insertInto('measurements')
    .values({ ...common, ...columns, fence: 0, idempotencyHash: taken ? null : idempotencyHash })
    .execute();
}

async function carryParts(queries: Kysely<AnyTables>): Promise<void> {
  for (const [from, to, columns] of [
    ['blocks', 'measurement_blocks', 'block_index, body'],
    ['events', 'measurement_events', 'id, body'],
    ['lab_events', 'measurement_events', 'id, body'],
    ['documents', 'measurement_documents', 'schema_version, body'],
    ['lab_documents', 'measurement_documents', 'schema_version, body'],
  ] as const) {
    await sql
      .raw(`insert into ${to} (measurement_id, ${columns}) select run_id, ${columns} from ${from}`)
      .execute(queries);
  }
}

async function dropEarlierTables({ schema }: Kysely<AnyTables>): Promise<void> {
  for (const table of ['blocks', 'events', 'documents', 'runs', 'lab_events', 'lab_documents', 'labs']) {
    await schema.dropTable(table).execute();
  }
  for (const table of ['blocks', 'events', 'documents']) {
    await schema.alterTable(`measurement_${table}`).renameTo(table).execute();
  }
}
