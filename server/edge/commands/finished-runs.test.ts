/** Protects what `diff` takes for a run: IDs, links and files, and a sentence for anything else. */
import { describe, expect, test } from 'vitest';
import { comparison } from '../../kinds/comparison/kind.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { parseDiff, readRun } from './finished-runs.ts';

const [id, other] = ['3fK9mQx7Lw2RtYb8NcVd1Z', '5hP2rTz8Kw4QsXa6MbUe9Y'];
const said = (detail: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ detail: expect.stringContaining(detail) }) });

test('two runs are named by ID or link, and printed as a table unless asked otherwise', () => {
  expect(parseDiff([id, `http://127.0.0.1:7300/r/${other}?v=1`])).toEqual({
    first: { argument: 'First run', id },
    second: { argument: 'Second run', id: other },
    format: 'terminal',
  });
  expect(parseDiff([id, other, '--markdown']).format).toBe('markdown');
  expect(parseDiff(['--json', id, other]).format).toBe('json');
});

test.each([
  [['./no-such-file.json', id], 'First run: ./no-such-file.json could not be read'],
  [[id, 'README.md'], 'Second run: README.md is not JSON'],
  [[id], "Missing required argument 'second'"],
  [[id, other, id], 'Too many arguments'],
  [[id, other, '--json', '--markdown'], 'Choose one of --json and --markdown.'],
])('%j is said in a sentence', (args, detail) => {
  expect(() => parseDiff(args)).toThrow(said(detail));
});

describe('the JSON of a run', () => {
  const read = (value: unknown) =>
    readRun({ argument: 'Second run', value }, comparison, () => Promise.reject(new Error('it is a file')));
  const run = sampleRun({ launches: 1, epochs: 1 });

  test('is read as it is', async () => {
    expect((await read(JSON.parse(JSON.stringify(run)))).id).toBe(run.id);
  });
  test.each([
    [{ ...run, schemaVersion: 99 }, 'Second run: It uses schema 99.'],
    [{ schemaVersion: 1, blocks: 3 }, 'Second run: that is not the JSON of a run.'],
    [{ ...run, kind: 'servers' }, 'Second run: that is not the JSON of a run.'],
    [null, 'Second run: that is not the JSON of a run.'],
  ])('of another version or of something else is refused in a sentence', async (value, detail) => {
    await expect(read(value)).rejects.toThrow(said(detail));
  });
});
