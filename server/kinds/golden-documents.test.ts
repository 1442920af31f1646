/** Protects documents: the golden one of every schema version opens as one of today, with its reports. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { distanceSchemaVersion } from '../../shared/distance.ts';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import { type RunDocument, runSchemaVersion } from '../../shared/run.ts';
import { sizesSchemaVersion } from '../../shared/size-sweep.ts';
import { sweepSchemaVersion } from '../../shared/sweep-result.ts';
import { allKinds } from '../all-kinds.ts';
import { upgradeDocument as upgradeOf } from '../measurement/upgrade.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { comparison } from './comparison/kind.ts';
import { distance } from './distance/kind.ts';
import { handshakes } from './handshakes/kind.ts';
import { sizes } from './sizes/kind.ts';
import { sweep } from './sweep/kind.ts';

function golden(version: number, name = 'run'): unknown {
  return JSON.parse(
    readFileSync(new URL(`../database/golden/${name}-v${version}.json`, import.meta.url), 'utf8'),
  );
}

const upgradeDocument = (value: unknown) => upgradeOf(comparison, value);

test('the golden run of every schema version opens as one of today', () => {
  for (let version = 1; version <= runSchemaVersion; version++) {
    const document = upgradeDocument(golden(version));
    expect(document.schemaVersion).toBe(runSchemaVersion);
    expect(document.blocks.length).toBeGreaterThan(0);
    expect(document.metrics.find(({ id }) => id === 'cpu_lone')?.ratio).toMatchObject({});
  }
});

test('the sides of the third schema are those of the fourth, and its figures the same', () => {
  expect(upgradeDocument(golden(3))).toStrictEqual(upgradeDocument(golden(4)));
});

test('a run from before launches is one launch of the first method, and its figures the same', () => {
  const earlier = golden(4) as RunDocument;
  const document = upgradeDocument(earlier);
  expect(document.plan).toStrictEqual({ ...earlier.plan, method: 'blocks' });
  expect(document.launches).toEqual([]);
  expect(document.verdict).toEqual(namedAsToday(earlier.verdict));
  expect(document.metrics).toStrictEqual(
    namedAsToday(earlier.metrics).map((row) => ({ ...row, ratioOfAll: null, launches: [] })),
  );
  const places = document.blocks.map(({ kind, launch, epoch }) => [kind, launch, epoch]);
  expect(places.slice(0, 4)).toEqual([
    ['steady', 0, 0],
    ['maximum', 0, 0],
    ['steady', 0, 1],
    ['maximum', 0, 1],
  ]);
  const reasons = document.blocks.flatMap((block) => block.reasons);
  expect(reasons.map(({ spoils }) => spoils)).toEqual(reasons.map(() => 'all'));
  const slotsOf = ({ blocks }: Pick<RunDocument, 'blocks'>) => blocks.map(({ slots }) => slots);
  expect(slotsOf(document)).toStrictEqual(slotsOf({ blocks: namedAsToday(earlier.blocks) }));
});

/** Of schema 9 in the names of schema 10. */
function namedAsToday<Part>(part: Part): Part {
  const named = JSON.stringify(part)
    .replaceAll('cpu_per_transaction_at_maximum', 'cpu_at_load')
    .replaceAll('cpu_per_transaction', 'cpu_lone')
    .replaceAll('nullRatio', 'twinRatio')
    .replaceAll('nullValue', 'twinValue');
  return JSON.parse(named);
}

test('a run of HTTPS against HTTP/2 keeps HTTPS as its baseline, and its target as it was asked for', () => {
  const request = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443', pid: 7 };
  const transports = ['https', 'h2'];
  const target = { kind: 'foreign', http: request.https, https: request.https, transports, request };
  const document = upgradeDocument({ ...(golden(3) as object), target });
  expect(document.target).toEqual({ kind: 'origins', ...request });
  expect(document.sides).toEqual({
    baseline: { transport: 'https', origin: request.https },
    comparison: { transport: 'h2', origin: request.https },
  });
  const named = Object.keys({ ...document.fairness, ...document.cache, ...document.tls.connections });
  expect(named).not.toContain('http');
});

test('a run from before it was noted what was asked is the same otherwise', () => {
  const { asked, ...earlier } = upgradeDocument(golden(6));
  expect(asked).toBeNull();
  const { asked: noted, ...today } = upgradeDocument(golden(7));
  expect(noted).toMatchObject({ preset: 'standard', launches: null, ratePerS: null });
  expect(earlier).toStrictEqual(today);
});

test('a run from before cores were pinned is the same otherwise', () => {
  const { placement, ...earlier } = upgradeDocument(golden(7));
  expect(placement).toBeNull();
  const { placement: noted, ...today } = upgradeDocument(golden(8));
  expect(noted).toEqual({ generator: [1], target: [0] });
  expect(earlier).toStrictEqual(today);
});

test('a run from before headers could have several values is the same otherwise', () => {
  const { scenario, ...earlier } = upgradeDocument(golden(8));
  const { scenario: newer, ...today } = upgradeDocument(golden(9));
  expect(newer.steps[2]?.headers['x-trace']).toEqual(['a', 'b']);
  expect(scenario.steps[2]?.headers).not.toHaveProperty('x-trace');
  expect(earlier).toStrictEqual(today);
});

test('a document of today is left as it is', () => {
  const document = sampleRun();
  expect(upgradeDocument(structuredClone(document))).toStrictEqual(document);
});

test('a document of a newer version is refused as such, whatever else is in it', () => {
  expect(() => upgradeDocument({ schemaVersion: runSchemaVersion + 1, surprise: true })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'run_newer' }) }),
  );
});

test('a document without a version, or with a part missing, is no run', () => {
  expect(() => upgradeDocument({ ...sampleRun(), schemaVersion: undefined })).toThrow(/schemaVersion/);
  expect(() => upgradeDocument({ ...sampleRun(), blocks: undefined })).toThrow(/blocks/);
  expect(() => upgradeDocument(null)).toThrow();
});

test.each([
  ['handshakes', 'handshakes', 1, 'TLSv1.3 TLS\\_AES\\_128\\_GCM\\_SHA256', 1 + 2],
  ['primitives', 'speed', 1, 'SHA-256', 1 + 6 + 2],
  ['journey', 'browser', 2, 'First contentful paint', null],
])(
  'the golden documents of %s of every version open as of today, with their reports',
  (name, file, first, words, lines) => {
    const kind = allKinds.find((each) => each.name === name);
    if (kind === undefined) throw new Error(name);
    for (let version = first; version <= labSchemaVersion; version++) {
      const document = upgradeOf(kind, golden(version, `lab-${file}`));
      expect(document).toMatchObject({ kind: name, schemaVersion: labSchemaVersion, state: 'finished' });
      expect(kind.markdown(document)).toContain(words);
      expect(kind.terminal(document).length).toBeGreaterThan(0);
      const rows = kind.rows(document);
      if (lines !== null) expect(rows).toHaveLength(lines);
    }
  },
);

test('the golden measurement of distances opens as one of today, with its reports', () => {
  const document = upgradeOf(distance, golden(1, 'distance'));
  expect(document).toStrictEqual(golden(distanceSchemaVersion, 'distance'));
  for (const text of [distance.markdown(document), distance.terminal(document)]) {
    expect(text).toMatch(/TLS 1\.3 adds [\d.]+ ms to a new connection over mobile/);
    expect(text).toContain('TLS 1.2, resumed');
  }
  expect(distance.rows(document)).toHaveLength(1 + 5 * 5);
});

test('the golden sweep of every schema version opens as one of today, with its reports and the same figures', () => {
  const documents = Array.from({ length: sweepSchemaVersion }, (_, index) =>
    upgradeOf(sweep, golden(index + 1, 'sweep')),
  );
  const newest = documents.at(-1);
  expect(newest?.levels.length).toBeGreaterThan(0);
  for (const document of documents) {
    expect(document).toStrictEqual({ ...newest, levels: document.levels, placement: document.placement });
    expect(sweep.markdown(document)).toContain('keepalive-c32');
    expect(sweep.terminal(document)).toContain('keepalive-c32');
    expect(sweep.rows(document)).toHaveLength(1 + 4);
  }
});

test('the golden size sweep of every schema version opens as one of today, with its reports and the same figures', () => {
  const documents = Array.from({ length: sizesSchemaVersion }, (_, index) =>
    upgradeOf(sizes, golden(index + 1, 'sizes')),
  );
  const newest = documents.at(-1);
  expect(newest?.placement).toEqual({ generator: [1], target: [0] });
  for (const document of documents) {
    expect(document).toStrictEqual({ ...newest, placement: document.placement, rounds: document.rounds });
    const launches = document.rounds.map(({ launch }) => launch);
    expect(launches).toEqual(documents.indexOf(document) >= 2 ? [0, 1, 2, 3, 4] : [0, 0, 0, 0, 0]);
    expect(sizes.markdown(document)).toContain('100,000');
    expect(sizes.terminal(document)).toContain('100,000');
  }
});

test.each(['handshakes', 'primitives', 'journey'])(
  'a document of %s from before today’s names has them, with the same figures',
  (name) => {
    const kind = allKinds.find((each) => each.name === name);
    const file = { handshakes: 'lab-handshakes', primitives: 'lab-speed', journey: 'lab-browser' }[name];
    if (kind === undefined) throw new Error(name);
    expect(upgradeOf(kind, golden(2, file))).toStrictEqual(golden(labSchemaVersion, file));
  },
);

test('a grid that was cancelled or interrupted says so by the codes of today', () => {
  for (const what of ['cancelled', 'interrupted']) {
    const text = { title: 'It ended', status: 409, detail: 'It ended.', advice: 'Start another one.' };
    const earlier = { type: `urn:tls-toll:problem:lab_${what}`, code: `lab_${what}`, ...text };
    const document = { ...(golden(2, 'lab-handshakes') as object), state: 'incomplete', problem: earlier };
    const { problem } = upgradeOf(handshakes, document);
    expect(problem).toEqual({ ...text, type: `urn:tls-toll:problem:run_${what}`, code: `run_${what}` });
  }
});
