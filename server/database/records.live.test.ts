import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runListQuerySchema } from '../../shared/api.ts';
import { type RunEvent, runEventSchema } from '../../shared/progress.ts';
import { runRequestSchema } from '../../shared/run.ts';
import type { RevisionLine } from '../../shared/stored-scenario.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { appendBlock, listBlocks } from './blocks.ts';
import { readDocument, storeDocument } from './documents.ts';
import { type StoredLogs, storedLogs } from './events.ts';
import { findRunSummary, listRuns } from './list-runs.ts';
import { type Database, openDatabase } from './open-database.ts';
import { findPostgres, type PostgresCluster, startPostgres } from './postgres-cluster.ts';
import { findNewestRevision, findRevision, listRevisions } from './revisions.ts';
import {
  buryRun,
  findRun,
  findRunByIdempotencyKey,
  insertRun,
  isBuried,
  listUnfinishedRuns,
  type NewRun,
  updateRun,
} from './runs.ts';

import {
  appendRevision,
  countScenarios,
  deleteScenario,
  findScenario,
  insertScenario,
  listScenarios,
} from './scenarios.ts';

const sample = sampleRun({ blocksPerPoint: 2 });
const postgres = findPostgres();

describe.each(['SQLite', ...(postgres === null ? [] : ['PostgreSQL'])])('records in %s', (engine) => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-records-'));
  let cluster: PostgresCluster | null = null;
  let database: Database;
  let logs: StoredLogs<RunEvent>;

  beforeAll(async () => {
    if (engine === 'PostgreSQL' && postgres !== null) cluster = await startPostgres(postgres);
    database = await openDatabase({ directory, url: cluster?.url ?? null });
    logs = storedLogs(database, 'events', runEventSchema);
  });
  afterAll(async () => {
    await database?.close();
    await cluster?.stop();
    rmSync(directory, { recursive: true });
  });

  let runs = 0;
  async function newRun(change: Partial<NewRun> = {}): Promise<NewRun> {
    runs += 1;
    const run: NewRun = {
      id: `Run${runs}x`.padEnd(22, '0'),
      createdAt: 1_768_000_000_000 + runs,
      request: runRequestSchema.parse({}),
      scenario: sample.scenario,
      plan: sample.plan,
      deleteTokenHash: 'hash',
      idempotencyKey: null,
      requestHash: 'request-hash',
      revisionId: null,
      ...change,
    };
    expect(await insertRun(database, run)).toBe(true);
    return run;
  }
  const list = (query: Record<string, unknown> = {}) => listRuns(database, runListQuerySchema.parse(query));

  test('a run is found as it was inserted, and queued', async () => {
    const run = await newRun();
    expect(await findRun(database, run.id)).toStrictEqual({
      ...run,
      state: 'queued',
      startedAt: null,
      endedAt: null,
      environment: null,
      preflight: null,
      cache: null,
      verdict: null,
      problem: null,
      warnings: [],
    });
    expect(await findRun(database, 'x'.repeat(22))).toBeNull();
  });

  test('an update stores what it names, empties what it names as null, and leaves the rest', async () => {
    const { id, createdAt } = await newRun();
    await updateRun(database, id, {
      state: 'running',
      startedAt: createdAt + 5,
      plan: { ...sample.plan, ratePerS: 12.5 },
      environment: sample.environment,
      preflight: sample.preflight,
      verdict: sample.verdict,
      warnings: ['disturbed'],
    });
    await updateRun(database, id, { state: 'finished', endedAt: createdAt + 9, verdict: null });
    expect(await findRun(database, id)).toMatchObject({
      state: 'finished',
      startedAt: createdAt + 5,
      endedAt: createdAt + 9,
      plan: { ratePerS: 12.5 },
      environment: sample.environment,
      preflight: sample.preflight,
      verdict: null,
      warnings: ['disturbed'],
    });
  });

  test('a second run with the same idempotency key is not stored', async () => {
    const first = await newRun({ idempotencyKey: 'once' });
    const second = { ...first, id: 'second'.padEnd(22, '0') };
    expect(await insertRun(database, second)).toBe(false);
    expect(await findRun(database, second.id)).toBeNull();
    expect((await findRunByIdempotencyKey(database, 'once'))?.id).toBe(first.id);
    expect(await findRunByIdempotencyKey(database, 'never')).toBeNull();
  });

  test('unfinished runs are listed oldest first', async () => {
    for (const { id } of await listUnfinishedRuns(database)) {
      await updateRun(database, id, { state: 'finished' });
    }
    const late = await newRun({ createdAt: 1_768_000_900_000 });
    const early = await newRun({ createdAt: 1_768_000_800_000 });
    await updateRun(database, late.id, { state: 'running' });
    expect((await listUnfinishedRuns(database)).map(({ id }) => id)).toEqual([early.id, late.id]);
  });

  test('blocks come back in order, every slot as it was', async () => {
    const { id } = await newRun();
    for (const block of sample.blocks.toReversed()) await appendBlock(database, id, block);
    expect(await listBlocks(database, id)).toStrictEqual(sample.blocks);
  });

  test('events are numbered 1, 2, 3 in each log of its own, and listed after an id', async () => {
    const [one, other] = [await newRun(), await newRun()];
    const state = { type: 'state', state: 'running', queuePosition: null } as const;
    const end = { type: 'end', state: 'finished' } as const;
    expect(await logs.append(one.id, state)).toBe(1);
    expect(await logs.append(other.id, state)).toBe(1);
    expect(await logs.append(one.id, end)).toBe(2);
    expect(await logs.list(one.id, 0)).toEqual([
      { id: 1, event: state },
      { id: 2, event: end },
    ]);
    expect(await logs.list(one.id, 1)).toEqual([{ id: 2, event: end }]);
    expect(await logs.list(one.id, 2)).toEqual([]);
  });

  test('a document comes back byte for byte, the last one stored', async () => {
    const { id } = await newRun();
    expect(await readDocument(database, 'documents', id)).toBeNull();
    await storeDocument(database, 'documents', id, 1, '{"old":true}');
    const text = JSON.stringify({ ...sample, command: 'µ − „“ \u{1f512} \u0000' });
    await storeDocument(database, 'documents', id, 2, text);
    expect(await readDocument(database, 'documents', id)).toEqual({ schemaVersion: 2, text });
  });

  test('a buried run leaves a tombstone and nothing else', async () => {
    const { id } = await newRun();
    const [block] = sample.blocks;
    if (block !== undefined) await appendBlock(database, id, block);
    await logs.append(id, { type: 'end', state: 'incomplete' });
    await storeDocument(database, 'documents', id, 1, '{}');
    expect(await isBuried(database, id)).toBe(false);

    await buryRun(database, id, 1_768_000_000_000);
    await buryRun(database, id, 1_768_000_000_001);
    expect(await isBuried(database, id)).toBe(true);
    expect(await findRun(database, id)).toBeNull();
    expect(await findRunSummary(database, id)).toBeNull();
    expect(await listBlocks(database, id)).toEqual([]);
    expect(await logs.list(id, 0)).toEqual([]);
    expect(await readDocument(database, 'documents', id)).toBeNull();
    const rows = await database.queries.selectFrom('tombstones').selectAll().where('id', '=', id).execute();
    expect(rows).toEqual([{ id, deletedAt: 1_768_000_000_000 }]);
  });

  test('the list is newest first; pages join without a gap or a repetition, even among equal times', async () => {
    for (let i = 0; i < 7; i++) await newRun({ createdAt: 1_769_000_000_000 });
    const all = (await list({ limit: 100 })).runs.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.runs.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
    expect(new Set(paged).size).toBe(paged.length);
    const times = (await list({ limit: 100 })).runs.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('the list is narrowed by state, by words of scenario and target in any case, and by the start of an id', async () => {
    const needle = await newRun({
      scenario: { ...sample.scenario, name: '100 %_sure Ünlogin' },
      request: runRequestSchema.parse({
        target: { http: 'http://127.0.0.1:8123', https: 'https://127.0.0.1:8124' },
      }),
    });
    await updateRun(database, needle.id, { state: 'refused' });
    const ids = async (query: Record<string, unknown>) => (await list(query)).runs.map(({ id }) => id);
    expect(await ids({ state: 'refused' })).toEqual([needle.id]);
    expect(await ids({ q: 'ÜNLOGIN' })).toEqual([needle.id]);
    expect(await ids({ q: '100 %_S' })).toEqual([needle.id]);
    expect(await ids({ q: '%_%_%_' })).toEqual([]);
    expect(await ids({ q: ':8124' })).toEqual([needle.id]);
    expect(await ids({ q: needle.id.slice(0, 12) })).toEqual([needle.id]);
    expect(await ids({ q: "'; drop table runs; --" })).toEqual([]);
    expect(await ids({ q: 'un\u0000\ud800' })).toEqual([]);
    expect(await ids({ state: 'finished', q: 'login' })).toEqual([]);
  });

  test('a name with a NUL or half a surrogate pair is stored', async () => {
    const { id } = await newRun({ scenario: { ...sample.scenario, name: 'a\u0000b\ud800c' } });
    expect((await findRunSummary(database, id))?.scenario).toBe('ab\ufffdc');
    expect((await findRun(database, id))?.scenario.name).toBe('a\u0000b\ud800c');
  });

  test.each(['', 'x', '12-', `12-${'!'.repeat(22)}`, `99999999999999999-${'a'.repeat(22)}`])(
    'the cursor %j is refused by name',
    async (cursor) => {
      await expect(list({ cursor })).rejects.toMatchObject({
        problem: { code: 'invalid_request', errors: [{ field: 'cursor' }] },
      });
    },
  );

  test('a scenario keeps its revisions, and once deleted only those that runs used', async () => {
    const content = (name: string) => ({
      scenario: { ...sample.scenario, name },
      actions: [],
      unsupported: [{ line: 1, reason: 'not understood' }],
      secrets: ['password'],
    });
    const revision = (number: number): RevisionLine => ({
      ...{ id: `Revision${number}x`.padEnd(22, '0'), number, createdAt: 1_768_000_000_000 + number },
      origin: 'import',
    });
    const id = 'Scenario'.padEnd(22, '0');
    const before = await countScenarios(database);
    await insertScenario(database, id, revision(1), content('One\u0000'));
    expect(await appendRevision(database, id, revision(2), content('Two'))).toBe(true);
    expect(await appendRevision(database, id, { ...revision(2), id: 'x'.repeat(22) }, content('Late'))).toBe(
      false,
    );
    expect(await countScenarios(database)).toBe(before + 1);
    expect(await listScenarios(database)).toContainEqual({
      ...{ id, deletedAt: null, newest: 2, name: 'Two', description: sample.scenario.description },
      ...{ steps: 3, secrets: ['password'], revisionId: revision(2).id },
      ...{ createdAt: revision(2).createdAt, origin: 'import' },
    });
    expect(await listRevisions(database, id)).toEqual([revision(2), revision(1)]);
    expect(await findRevision(database, revision(1).id)).toStrictEqual({
      ...{ ...revision(1), scenarioId: id },
      ...content('One\u0000'),
    });
    expect((await findNewestRevision(database, id))?.scenario.name).toBe('Two');

    await newRun({ revisionId: revision(1).id });
    await deleteScenario(database, id, 1_768_000_000_009);
    expect((await findScenario(database, id))?.deletedAt).toBe(1_768_000_000_009);
    expect(await countScenarios(database)).toBe(before);
    expect(await listRevisions(database, id)).toEqual([revision(1)]);
    expect(await appendRevision(database, id, revision(3), content('Gone'))).toBe(false);
  });

  test('a failed migration leaves nothing behind', async () => {
    const { migrate, migrations } = await import('./migrations.ts');
    const half = async (schema: typeof database.queries.schema) => {
      await schema.createTable('half_made').addColumn('id', 'integer').execute();
      throw new Error('stopped');
    };
    await expect(migrate(database.queries, [...migrations, half])).rejects.toThrow('stopped');
    const query = sql`select * from half_made`.execute(database.queries);
    await expect(query).rejects.toThrow(/half_made/);
  });
});

if (postgres !== null) {
  test('one server at a time uses a PostgreSQL database; the next one may when it has closed', async () => {
    const cluster = await startPostgres(postgres);
    const first = await openDatabase({ directory: tmpdir(), url: cluster.url });
    await expect(openDatabase({ directory: tmpdir(), url: cluster.url })).rejects.toMatchObject({
      problem: { code: 'data_directory_in_use' },
    });
    await first.close();
    const second = await openDatabase({ directory: tmpdir(), url: cluster.url });
    await second.close();
    await cluster.stop();
  });

  test('a PostgreSQL that stops is said as such', async () => {
    const cluster = await startPostgres(postgres);
    const database = await openDatabase({ directory: tmpdir(), url: cluster.url });
    await cluster.stop();
    await expect(findRun(database, sample.id)).rejects.toMatchObject({
      problem: { code: 'database_unavailable' },
    });
    await database.close();
  });
}
