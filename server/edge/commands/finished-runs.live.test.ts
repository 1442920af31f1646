/** Protects `diff` on the command line: it compares stored runs and files, with a dashboard and without, and measures nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runChangesSchema } from '../../../shared/kinds/comparison/result-changes.ts';
import { buryMeasurement, findState } from '../../life/database/measurements.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-diff-command-'));
const [earlier, later] = [sampleRun(), laterRun({ cpu: 0.93 })];
const gone = { ...earlier, id: '6goneRun00000000000000' };
const file = join(directory, 'later.json');
let waiting = '';

beforeAll(async () => {
  writeFileSync(file, JSON.stringify(later));
  const database = await openDatabase({ directory, url: null });
  for (const run of [earlier, later, gone]) await storeFinishedRun(database, run);
  await buryMeasurement(database, gone.id, 1);
  waiting = (await insertInTest(database, { kind: 'comparison' })).id;
  await database.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

function diff(...args: string[]) {
  return runCommandInTest(['diff', ...args], { TLS_TOLL_DATA: directory });
}

const fell = /^HTTPS costs \S+ µs less per transaction .+\n−\S+ points at full load: from /;

test('without a dashboard it reads the database and starts nothing that is queued', async () => {
  const found = await diff(earlier.id, later.id);
  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(found.stdout).toMatch(fell);
  const database = await openDatabase({ directory, url: null });
  expect(await findState(database, waiting)).toMatchObject({ state: 'queued' });
  await database.queries.deleteFrom('measurements').where('id', '=', waiting).execute();
  await database.close();
});

test('a file, a link and a dashboard give the same, in JSON too', async () => {
  const { url, close } = await openServerInTest(directory);
  const byLink = await diff(`${url}/r/${earlier.id}?v=1`, file, '--json');
  expect(byLink).toMatchObject({ code: 0, stderr: '' });
  const changes = runChangesSchema.parse(JSON.parse(byLink.stdout));
  const byDashboard = await fetch(`${url}/c/${earlier.id}..${later.id}.json`);
  expect(changes).toEqual(await byDashboard.json());
  await close();
});

test('two files need no data directory, and make a report in Markdown', async () => {
  const other = join(directory, 'earlier.json');
  writeFileSync(other, JSON.stringify(earlier));
  const { code, stdout } = await runCommandInTest(['diff', other, file, '--markdown'], {
    TLS_TOLL_DATA: join(directory, 'none', 'such'),
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# HTTPS costs \S+ µs less per transaction [\s\S]*\n## Metrics\n/);
});

test.each([
  [() => [earlier.id, earlier.id], 2, 'Both are the same result.'],
  [() => [earlier.id, gone.id], 2, 'Second run: It was deleted.'],
  [() => ['Z'.repeat(22), later.id], 2, `First run: No run has the ID ${'Z'.repeat(22)}.`],
])('what cannot be compared is said in a sentence', async (args, code, fact) => {
  const found = await diff(...args());
  expect(found).toMatchObject({ code, stdout: '' });
  expect(found.stderr).toContain(fact);
  expect(found.stderr).not.toMatch(/\n\s+at /);
});
