/** Protects `sql` on the command line: it reads the data directory with a dashboard and without, and starts nothing that waits in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findState } from '../../life/database/measurements.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-sql-command-'));
afterAll(() => rmSync(directory, { recursive: true }));

function sql(...args: string[]) {
  return runCommandInTest(['sql', ...args], { TLS_TOLL_DATA: directory });
}

test('without a dashboard it opens the database and starts nothing that is queued', async () => {
  const database = await openDatabase({ directory, url: null });
  await storeFinishedRun(database, sampleRun({ launches: 2, epochs: 1 }));
  const { id } = await insertInTest(database, { kind: 'comparison' });
  await database.close();
  const query = "select metric, verdict from v_metrics where metric = 'cpu_at_load'";
  expect(await sql(query)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'metric       verdict\ncpu_at_load  overhead\n\n1 row\n',
  });
  const again = await openDatabase({ directory, url: null });
  expect(await findState(again, id)).toMatchObject({ state: 'queued' });
  await again.queries.deleteFrom('measurements').where('id', '=', id).execute();
  await again.close();
});

test('with a dashboard it asks that, says where it was cut, and exits 2 for what is refused', async () => {
  const { close } = await openServerInTest(directory);
  expect(await sql('select metric from v_metrics order by metric', '--csv', '--limit', '1')).toEqual({
    code: 0,
    stdout: 'metric\r\ncpu_at_load\r\n',
    stderr: 'Cut after 1 row.\n',
  });
  const refused = await sql('select delete_token_hash from measurements');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('not measurements');
  await close();
});

test('without a query it lists the views', async () => {
  const { code, stdout } = await sql();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^v_servers: one row for each combination/m);
});
