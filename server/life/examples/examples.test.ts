/** Protects the shipped examples: each can be read by this version, and a damaged one does not affect the others. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { allKinds } from '../../edge/start/all-kinds.ts';
import { exampleList, openExamples, pathOfExample } from './with-examples.ts';

const names = exampleList.map(({ name }) => name);

test.each(names)(
  '%s has the current version of its kind, and no path or key of the machine that measured it',
  (name) => {
    const text = gunzipSync(readFileSync(pathOfExample(name))).toString('utf8');
    const { document } = JSON.parse(text);
    const kind = allKinds.find((each) => each.name === document.kind);
    expect(kind?.documentSchema.parse(document)).toMatchObject({
      schemaVersion: kind?.documentVersion,
      state: 'finished',
    });
    expect(kind?.headline(document as never)).not.toBeNull();
    expect(document.environment).not.toHaveProperty('machine');
    expect(text.match(/\/(home|root|work|Users)\/|\/tmp\/(?!tls-toll-server\/)|PRIVATE KEY/g)).toBeNull();
  },
);

test('all of them take less than a megabyte of the package', () => {
  const bytes = names.map((name) => statSync(pathOfExample(name)).size);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(1_000_000);
});

test('an example that is missing, damaged, or has the ID of another is left out and logged; the others are read', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-examples-'));
  try {
    const [cut, twin, missing, ...whole] = names;
    for (const name of whole) copyFileSync(pathOfExample(name), pathOfExample(name, directory));
    const [first = cut] = whole;
    if (cut === undefined || twin === undefined || first === undefined) throw new Error('too few examples');
    writeFileSync(pathOfExample(cut, directory), readFileSync(pathOfExample(cut)).subarray(0, 5000));
    copyFileSync(pathOfExample(first), pathOfExample(twin, directory));
    const said: string[] = [];
    const examples = openExamples({
      kinds: allKinds,
      directory,
      onLeftOut: (sentence) => said.push(sentence),
    });
    const [list] = await Promise.all([examples.list(), examples.list()]);
    expect(list.map(({ name }) => name)).toEqual([twin, ...whole.slice(1)]);
    expect(said).toEqual([
      `The example ${cut} is left out: its file cannot be read.`,
      `The example ${missing} is left out: its file cannot be read.`,
      `The example ${first} is left out: it has the ID of ${twin}.`,
    ]);
    expect(await examples.find('0'.repeat(22))).toBeNull();
  } finally {
    rmSync(directory, { recursive: true });
  }
});
