/** Protects the export of raw figures: each visit of a sweep, by suffix, as JSON Lines and Parquet, also of one that failed. */
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleServers } from '../../testing/sample-servers.ts';
import { storeFinishedServers } from '../../testing/store-finished-servers.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

const sample = sampleServers({
  plan: { shape: 'cells', cells: [{}, { keepAlive: false }] },
  rounds: 3,
  change: ([first, ...others]) =>
    first === undefined ? [] : [{ ...first, arms: null, failure: 'It did not start.' }, ...others],
});
const { id } = sample.document;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await storeFinishedServers(server.database, sample);
});
afterAll(() => server.close());

test('JSON Lines and Parquet have a row for each arm of each visit; CSV has one for each cell', async () => {
  const { text, headers } = await server.send(`/r/${id}.jsonl`);
  expect(headers['content-type']).toContain('application/jsonl');
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(1 + 5 * 3);
  const [failed, ...measured] = rows;
  expect(failed).toMatchObject({
    measurement_id: id,
    round: 0,
    failure: 'It did not start.',
    per_s: null,
  });
  const visit = sample.kept.blocks[1];
  expect(measured[1]).toMatchObject({
    ...{ round: visit?.round, arm: 'comparison', failure: null },
    cell: sample.document.cells[visit?.cell ?? 0]?.cell.id,
    keep_alive: sample.document.cells[visit?.cell ?? 0]?.cell.settings.keepAlive,
    per_s: visit?.arms?.comparison.perS,
    cpu_us: visit?.arms?.comparison.cpuUs,
  });
  const parquet = await fetch(`${server.origin}/r/${id}.parquet`);
  expect(parquet.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  expect(await parquetReadObjects({ file: await parquet.arrayBuffer() })).toEqual(rows);
  expect((await server.send(`/r/${id}.csv`)).text.trimEnd().split('\r\n')).toHaveLength(1 + 2);
});

test('a run has its slots in all of them', async () => {
  const run = await server.storeRun();
  const csv = (await server.send(`/r/${run.id}.csv`)).text.trimEnd().split('\r\n');
  const lines = (await server.send(`/r/${run.id}.jsonl`)).text.trimEnd().split('\n');
  const file = await (await fetch(`${server.origin}/r/${run.id}.parquet`)).arrayBuffer();
  const objects = await parquetReadObjects({ file });
  expect([lines.length, objects.length]).toEqual([csv.length - 1, csv.length - 1]);
  expect(objects).toEqual(lines.map((line) => JSON.parse(line)));
});
