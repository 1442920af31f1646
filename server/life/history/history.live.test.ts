/** Protects the history in SQL, on both engines: what was measured is in its views, and nothing else can be reached. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FactorPlanInput } from '../../../shared/kinds/servers/servers-result.ts';
import {
  historyViews,
  type SqlValue,
  sqlExamples,
  sqlRequestSchema,
} from '../../../shared/results/history.ts';
import { comparison } from '../../kinds/comparison/kind.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { mesh } from '../../kinds/mesh/kind.ts';
import { prices } from '../../kinds/prices/kind.ts';
import { servers } from '../../kinds/servers/kind.ts';
import { sizes } from '../../kinds/sizes/kind.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { patienceMs } from '../../testing/patience.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { sampleServers } from '../../testing/sample-servers.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { binMeasurement, unbinMeasurement } from '../database/bin.ts';
import {
  buryMeasurement,
  claimMeasurement,
  reopenMeasurement,
  storeEnding,
} from '../database/measurements.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { bringFiguresOf } from '../measurement/bin-and-history.ts';
import type { Reader } from './history-questions.ts';
import { judgePostgres } from './judge-postgres.ts';
import { type History, listWithoutFigures, openHistory } from './open-history.ts';
import { openReadOnlyPostgres } from './read-only-postgres.ts';
import { openReadOnlySqlite } from './read-only-sqlite.ts';
import { admitReader } from './reader-role.ts';

// A kind of any request is a kind of every request to whoever only stores its documents.
const [runs, ofSizes, ofServers, ofMeshes, ofPrices] = [
  comparison,
  sizes,
  servers,
  mesh,
  prices,
] as unknown as AnyKind<never>[];
const run = sampleRun();
const sized = sampleSizes();
const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../database/golden/${name}.json`, import.meta.url), 'utf8'));
const proxied = mesh.documentSchema.parse(golden('mesh-v1'));
const listed = prices.documentSchema.parse(golden('prices-v1'));
const plan: FactorPlanInput = { shape: 'cells', cells: [{}, { keepAlive: false }, { key: 'RSA-2048' }] };
const { document: swept } = sampleServers({ plan, rounds: 4 });

describe.each(engines)('the history in %s', (engine) => {
  let opened: DatabaseInTest;
  let history: History;
  let read: Reader;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    const { directory, url } = opened.place;
    read = url === null ? openReadOnlySqlite(sqliteFile(directory)) : await readAsRole(url);
    history = openHistory(opened.place, { ms: patienceMs, bytes: 2 ** 25, memoryBytes: 2 ** 29 });
    if (!runs || !ofSizes || !ofServers || !ofMeshes || !ofPrices) throw new Error('a kind is missing');
    await storeEnded(opened.database, runs, run);
    await storeEnded(opened.database, ofSizes, sized);
    await storeEnded(opened.database, ofServers, swept);
    await storeEnded(opened.database, ofMeshes, proxied);
    await storeEnded(opened.database, ofPrices, listed);
  });
  afterAll(() => opened.close());

  const ask = (sql: string, limit?: number) => history.ask(sqlRequestSchema.parse({ sql, limit }));
  const problemOf = (sql: string) =>
    history.ask(sqlRequestSchema.parse({ sql })).catch((error) => error.problem);
  /** Runs a query in this process. */
  const rowsOf = async (sql: string): Promise<SqlValue[][]> => (await read(question(sql))).rows;
  const problem = (sql: string) => Promise.try(read, question(sql)).catch((error) => error);

  test.each(historyViews)('$name has the columns that are documented', async ({ name, columns }) => {
    const result = await ask(`select * from ${name} limit 1`);
    expect(result.columns).toEqual(columns.map((column) => column.name));
    expect(result).toMatchObject({ dialect: engine, cut: null });
    expect(result.rows).toHaveLength(1);
  });

  test('a sweep has a row for each cell, with the figures of its document', async () => {
    const [first, second] = swept.cells;
    expect(
      await rowsOf(
        'select measurement_id, created_at, finished_at, cell, keep_alive, document_bytes, visits, throughput_http_per_s, throughput_ratio, throughput_ratio_lo, cpu_ratio_hi, generator_limited, cpu_twin_ratio_lo from v_servers order by key, keep_alive desc',
      ),
    ).toEqual([
      [
        ...[swept.id, isoOf(swept.createdAt), isoOf(swept.endedAt ?? 0), first?.cell.id],
        ...[engine === 'SQLite' ? 1 : true, 5496, 4, first?.throughput?.http.center],
        ...[first?.throughput?.ratio.center, first?.throughput?.ratio.lo, first?.cpu?.ratio.hi],
        ...[engine === 'SQLite' ? 0 : false, first?.cpu?.twinRatio.lo],
      ],
      [
        ...[swept.id, isoOf(swept.createdAt), isoOf(swept.endedAt ?? 0), second?.cell.id],
        ...[engine === 'SQLite' ? 0 : false, 5496, 4, second?.throughput?.http.center],
        ...[second?.throughput?.ratio.center, second?.throughput?.ratio.lo, second?.cpu?.ratio.hi],
        ...[engine === 'SQLite' ? 0 : false, second?.cpu?.twinRatio.lo],
      ],
      expect.anything(),
    ]);
  });

  test('a sweep over sizes has a row for each size and arm, and what HTTPS adds with its interval', async () => {
    const rows = await rowsOf(
      'select transport, count(*) from v_sizes group by transport order by transport',
    );
    expect(rows).toEqual([
      ['http', 24],
      ['https', 24],
    ]);
    const point = sized.comparisons[0]?.latency?.points[0];
    expect(
      await rowsOf(
        "select target, cipher, latency_ratio, latency_ratio_lo, latency_delta_us_hi from v_sizes where transport = 'https' order by size_bytes limit 1",
      ),
    ).toEqual([['nginx', 'TLS_AES_256_GCM_SHA384', point?.ratio.center, point?.ratio.lo, point?.deltaUs.hi]]);
    expect(await rowsOf("select distinct latency_ratio from v_sizes where transport = 'http'")).toEqual([
      [null],
    ]);
  });

  test('a run has a row for each metric, with its shift and verdict', async () => {
    const cpu = run.metrics.find(({ id }) => id === 'cpu_at_load');
    expect(
      await rowsOf(
        "select target, scenario, baseline_transport, comparison_transport, unit, shift, shift_lo, ratio_hi, verdict from v_metrics where metric = 'cpu_at_load'",
      ),
    ).toEqual([
      [
        ...['storefront', run.scenario.name, 'http', 'https', 'us'],
        ...[cpu?.delta?.center, cpu?.delta?.lo, cpu?.ratio?.hi, cpu?.outcome],
      ],
    ]);
    expect(await rowsOf('select count(*) from v_metrics')).toEqual([[run.metrics.length]]);
  });

  test.each(sqlExamples)('the example “$title” answers', async ({ sql }) => {
    expect((await rowsOf(sql)).length).toBeGreaterThan(0);
  });

  test('deleted measurements have no rows; resumed ones have none until they end, and then new ones', async () => {
    if (!ofServers) throw new Error('a kind is missing');
    const document = { ...swept, id: 'Deleted'.padEnd(22, '0') };
    const count = () => rowsOf(`select count(*) from v_servers where measurement_id = '${document.id}'`);
    await storeEnded(opened.database, ofServers, { ...document, state: 'interrupted' });
    expect(await count()).toEqual([[3]]);
    await reopenMeasurement(opened.database, document.id);
    expect(await count()).toEqual([[0]]);
    const claim = await claimMeasurement(opened.database, document.id);
    if (claim === null) throw new Error('it cannot be claimed');
    const ending = { state: 'finished', endedAt: 9, problem: null, summary: {}, schemaVersion: 1 } as const;
    const figures = servers.figuresOf?.({ ...document, cells: document.cells.slice(1) }) ?? null;
    for (const _ of [1, 2]) {
      await storeEnding(opened.database, claim, { ...ending, text: '{}', figures });
      expect(await count()).toEqual([[2]]);
    }
    await buryMeasurement(opened.database, document.id, 10);
    expect(await count()).toEqual([[0]]);
  });

  test('what is in the bin has no rows, and those that it had when it is restored', async () => {
    if (!ofServers) throw new Error('a kind is missing');
    const document = { ...swept, id: 'Binned'.padEnd(22, '0') };
    const rows = () =>
      rowsOf(`select * from v_servers where measurement_id = '${document.id}' order by cell`);
    await storeEnded(opened.database, ofServers, document);
    const before = await rows();
    expect(before).toHaveLength(3);
    await binMeasurement(opened.database, { id: document.id, fence: 1 }, 10);
    expect(await rows()).toEqual([]);
    expect(await listWithoutFigures(opened.database, ['servers'])).toEqual([]);
    await unbinMeasurement(opened.database, document.id);
    expect(await listWithoutFigures(opened.database, ['servers'])).toEqual([
      { id: document.id, kind: 'servers' },
    ]);
    const onError = (error: unknown) => {
      throw error;
    };
    await bringFiguresOf({ database: opened.database, onError }, document.id, ofServers);
    expect(await rows()).toEqual(before);
    await buryMeasurement(opened.database, document.id, 10);
  });

  test('what is not in the views is refused, and whatever writes', async () => {
    for (const sql of [
      'select delete_token_hash from measurements',
      'select count(*) from documents',
      'select note from annotations',
      'select measurement_id from bin',
      'with v_servers as (select delete_token_hash from measurements) select * from v_servers',
      'select x from (with measurements as (select 1 as x) select x from measurements) as a, measurements',
      "update measurements set title = ''",
      'select 1; select 2',
    ]) {
      expect(await problem(sql), sql).toMatchObject({ code: 'sql_refused' });
    }
  });

  test('what the database and its user are called is not told', async () => {
    for (const word of ['current_user', 'session_user', 'user', 'current_catalog', 'current_schema']) {
      const code = engine === 'PostgreSQL' ? 'sql_refused' : 'sql_invalid';
      expect(await problem(`select ${word}`), word).toMatchObject({ code });
    }
    expect(await rowsOf('select current_date is not null from v_servers limit 1')).toHaveLength(1);
  });

  test('a problem of the process that runs a query is a problem', async () => {
    expect(await problemOf('select note from annotations')).toMatchObject({ code: 'sql_refused' });
    expect(await problemOf('selec 1')).toMatchObject({ code: 'sql_invalid' });
  });

  test('a mistake in a query is reported in our words, with those of the database as details', async () => {
    const sentences: [sql: string, detail: unknown][] = [
      ['selec 1', 'There is a mistake near “selec”.'],
      ['select nowhere from v_servers', 'There is no column nowhere.'],
      ["select 'open", expect.stringMatching(/^(There is a mistake near|The query ends too early)/)],
      ['--', expect.stringMatching(/^\P{Cc}*\.$/u)],
    ];
    for (const [sql, detail] of sentences)
      expect(await problem(sql), sql).toMatchObject({ code: 'sql_invalid', message: detail });
    expect(await problemOf('selec 1')).toMatchObject({ details: expect.stringContaining('syntax error') });
  });

  test('more rows than asked for are cut, and it is said', async () => {
    const numbers = (most: number) =>
      `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${most}) select x from n`;
    const cut = await ask(numbers(1_000_000));
    expect(cut.rows).toHaveLength(10_000);
    expect(cut.cut).toBe('Cut after 10,000 rows.');
    expect(await ask(numbers(3), 3)).toMatchObject({ rows: [[1], [2], [3]], cut: null });
    expect((await ask(numbers(4), 3)).cut).toBe('Cut after 3 rows.');
  });

  test('a query that never ends is stopped, and so is one that takes too much memory or returns too much', async () => {
    const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n';
    const hasty = openHistory(opened.place, { ms: 300, bytes: 2000, memoryBytes: 2 ** 30 });
    await expect(hasty.ask({ sql: endless, limit: 10 })).rejects.toMatchObject({
      problem: { code: 'sql_stopped', detail: 'The query took longer than 0.3 s.' },
    });
    const many = 'select * from v_sizes';
    const small = openHistory(opened.place, { ms: patienceMs, bytes: 2000, memoryBytes: 2 ** 30 });
    expect((await small.ask({ sql: many, limit: 1000 })).cut).toMatch(
      /^Cut after \d+ rows: a result has at most/,
    );
    const tight = openHistory(opened.place, { ms: patienceMs, bytes: 2000, memoryBytes: 2 ** 20 });
    await expect(tight.ask({ sql: endless, limit: 10 })).rejects.toMatchObject({
      problem: { code: 'sql_stopped', detail: 'The query took more than 1 MiB of memory.' },
    });
    expect((await ask('select 1')).rows).toEqual([[1]]);
  });
});

async function readAsRole(url: string): Promise<Reader> {
  const { place, begun } = await admitReader(url);
  const { read } = await openReadOnlyPostgres(place, judgePostgres);
  await begun();
  return read;
}

const question = (sql: string) => ({ sql, limit: 10_000, bytes: 2 ** 25, ms: patienceMs });

test('no view shows a hash, a request or a text of a document', () => {
  const names = historyViews.flatMap(({ columns }) => columns.map(({ name }) => name));
  expect(names.filter((name) => /hash|token|request|secret|body/.test(name))).toEqual([]);
  expect(historyViews.map(({ name }) => name)).toEqual([
    ...['v_servers', 'v_sizes', 'v_metrics', 'v_mesh', 'v_prices'],
  ]);
});

function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '');
}
