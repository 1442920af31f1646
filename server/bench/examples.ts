import { copyFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { questions } from '../../shared/kinds/comparison/questions.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { isCertain } from '../../shared/kinds/comparison/shift.ts';
import type { CreatedMeasurement } from '../../shared/measurement/measurement.ts';
import {
  type StudyMeasurement,
  type StudyMeasurementName,
  studyMeasurement,
} from '../../shared/studies/study-plan.ts';
import { connectTo } from '../edge/commands/api-client.ts';
import { allKinds } from '../edge/start/all-kinds.ts';
import type { House } from '../kinds/apparatus.ts';
import {
  type ExampleFile,
  type ExampleName,
  exampleList,
  pathOfExample,
  readExample,
} from '../life/examples/with-examples.ts';
import {
  announceTime,
  expectedS,
  type LongOptions,
  openBenchDirectory,
  openDashboard,
  openLedger,
} from './bench-options.ts';
import { buildLibraries } from './library.ts';
import { performMeasurement } from './perform-run.ts';
import { printTable } from './print-table.ts';

type Asked = Pick<StudyMeasurement, 'request' | 'seconds' | 'libraries'>;

const standard = (request: RunRequestInput): Asked => {
  const whole = { ...request, length: 'quote' as const };
  return { request: { ...whole, kind: 'comparison' }, seconds: expectedS(whole) };
};

const ofHandshakes = { connectionPolicy: 'connection-per-transaction' } as const;

/** Node has post-quantum groups whatever library other servers link. */
const asked: Record<Exclude<ExampleName, StudyMeasurementName>, Asked> = {
  nginx: standard({ target: 'nginx' }),
  'new-connections': standard({ target: 'nginx', sides: questions.key.sides, ...ofHandshakes }),
  'post-quantum': standard({ target: 'node', sides: questions['post-quantum'].sides, ...ofHandshakes }),
  prices: { request: { kind: 'prices', target: 'nginx', memory: true }, seconds: 150 },
};

function askedFor(name: ExampleName): Asked {
  return name in asked ? asked[name as keyof typeof asked] : studyMeasurement(name as StudyMeasurementName);
}

const measuredSchema = z.strictObject({ id: z.string(), url: z.string() });

/**
 * Measures what is shipped as examples anew, in one data directory, and writes the files. A result that says nothing, such as on a busy
 * machine, does not replace the file, and is measured again by a call that resumes.
 */
export async function renewExamples({ seed, signal, resume, only }: LongOptions) {
  const names = exampleList.flatMap(({ name }) =>
    only === null || only.split(',').includes(name) ? [name] : [],
  );
  if (names.length === 0) throw new Error(`No example is called ${only}.`);
  const directory = openBenchDirectory('examples', resume);
  const measured = openLedger(join(directory, 'results.jsonl'), measuredSchema);
  const left = names.filter((name) => measured.get(name) === undefined);
  const seconds = left.reduce((sum, name) => sum + askedFor(name).seconds, 0);
  if (left.length > 0) announceTime(`${left.length} of ${names.length} examples are left`, seconds);
  const needLibraries = left.some((name) => askedFor(name).libraries !== undefined);
  const server = await openDashboard(directory, needLibraries ? await buildLibraries(signal) : {});
  const rows: Row[] = [];
  try {
    for (const name of names) {
      const known = measured.get(name);
      const created =
        known === undefined ? await askFor(server.url, name, seed, signal) : { ...known, deleteToken: null };
      if (created === null) break;
      const row = await ship(name, directory, await readFrom(server.url, created));
      rows.push(row);
      if (row.wrong === null) measured.keep(name, { id: created.id, url: created.url });
      else await forget(server.url, created);
    }
    if (rows.some(({ wrong }) => wrong !== null)) process.exitCode = 1;
    return { rows, text: printRows(rows) };
  } finally {
    await server.close();
  }
}

type Measured = z.infer<typeof measuredSchema>;
type Created = Measured & Pick<CreatedMeasurement, 'deleteToken'>;

/** Null where the bench was interrupted. */
async function askFor(
  server: string,
  name: ExampleName,
  seed: number,
  signal: AbortSignal,
): Promise<Created | null> {
  process.stderr.write(`${name} …\n`);
  try {
    return await performMeasurement(server, { ...askedFor(name).request, seed }, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** The next one would be pooled with it, and link to it. */
async function forget(server: string, { id, deleteToken }: Created): Promise<void> {
  await connectTo({ url: server, key: null }).call(measurementEndpoints.deleteMeasurement, {
    ...{ params: { id }, query: { permanent: 'true' } },
    headers: { 'x-delete-token': deleteToken ?? '' },
  });
}

type Row = { name: ExampleName; headline: string; kB: number; wrong: string | null };

/** Content of its file. The ID of this machine's kernel is of no use elsewhere. */
async function readFrom(server: string, { id, url }: Measured): Promise<object> {
  const api = connectTo({ url: server, key: null });
  const { environment, ...document } = JSON.parse(await api.readDocument(url));
  const { machine: _, ...anywhere } = environment;
  const { generatedTitle } = await api.call(measurementEndpoints.showAnnotation, { params: { id } });
  return { title: generatedTitle, document: { ...document, environment: anywhere } };
}

/** In configuration files that results show. */
const serverDirectory = new RegExp(
  `${tmpdir().replace(/\W/g, '\\$&')}/(tls-toll-\\w+/)?tls-toll-server-\\w+`,
  'g',
);

/** @param directory where it is judged as whoever opens it reads it */
async function ship(name: ExampleName, directory: string, content: object): Promise<Row> {
  const path = pathOfExample(name, directory);
  const packed = gzipSync(JSON.stringify(content).replaceAll(serverDirectory, '/tmp/tls-toll-server'), {
    level: 9,
  });
  writeFileSync(path, packed);
  const example = await readExample(allKinds, path);
  const wrong = wrongWith(name, example);
  if (wrong === null) copyFileSync(path, pathOfExample(name));
  const { kind, document } = example;
  const headline = kind.headline(document)?.title ?? '';
  return { name, headline, kB: packed.length / 1000, wrong };
}

/** Why it is no example; null for one that says something. */
function wrongWith(name: ExampleName, { kind, document }: ExampleFile<House>): string | null {
  if (document.state !== 'finished') return document.problem?.detail ?? document.state;
  if (kind.headline(document) === null) return 'It says nothing.';
  // A claim of the studies may also be undecided.
  if (kind.name !== 'comparison' || !(name in asked)) return null;
  const { verdict } = document as unknown as RunDocument;
  return isCertain(verdict?.outcome ?? 'refused') ? null : 'It is not certain.';
}

function printRows(rows: readonly Row[]): string {
  const lines = rows.map(({ name, headline, kB, wrong }) => [
    ...[name, `${kB.toFixed(0)} kB`, headline],
    wrong === null ? 'written' : `not written: ${wrong}`,
  ]);
  return printTable(['example', 'file', 'headline', ''], lines);
}
