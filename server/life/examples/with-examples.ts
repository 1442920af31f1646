import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import {
  type StudyMeasurementName,
  studyMeasurement,
  studyMeasurementNames,
} from '../../../shared/studies/study-plan.ts';
import { exampleInWords } from '../../../shared/words/example-words.ts';
import type { AnyDocument, AnyKind } from '../../kinds/kind.ts';
import type { DocumentText, Measurements } from '../measurement/asked-measurements.ts';
import { openShownTexts, printAs } from '../measurement/reading.ts';
import { addressOf, saidOf, summarise, upgradeDocument } from '../measurement/summaries.ts';

/** How results are read, whether they were measured here or came with the program. */
export type Results = Pick<
  Measurements,
  'summary' | 'annotation' | 'readDocument' | 'readShown' | 'demandReadable' | 'print' | 'document' | 'events'
>;

/** Looks an ID up in the store, then among the examples. Lists, and whatever combines several results, read the store only. */
export function withExamples<House>(own: Results, examples: Examples<House>): Results {
  const shownText = openShownTexts();

  const either =
    <Rest extends unknown[], Answer>(
      ask: (id: string, ...rest: Rest) => Promise<Answer>,
      answer: (example: Example<House>, ...rest: Rest) => Answer | Promise<Answer>,
    ) =>
    async (id: string, ...rest: Rest): Promise<Answer> => {
      try {
        return await ask(id, ...rest);
      } catch (error) {
        const example = isUnknown(error) ? await examples.find(id) : null;
        if (example === null) throw error;
        return answer(example, ...rest);
      }
    };

  return {
    summary: either(own.summary, summaryOf),
    annotation: either(own.annotation, ({ title }) => ({
      ...{ title, generatedTitle: title, note: '', tags: [] },
    })),
    readDocument: either(own.readDocument, ({ document }) => printExample(document)),
    readShown: either(own.readShown, ({ kind, document }) => {
      const shown = (whole: AnyDocument) => ({ ...(kind.shown?.(whole) ?? whole), example: true });
      return shownText({ ...printExample(document), kind: { shown }, value: document });
    }),
    demandReadable: either(own.demandReadable, () => {}),
    print: either(own.print, async ({ kind, document }, format) => {
      const annotation = async () => ({ ...blankAnnotation, note: exampleInWords(document) });
      return {
        content: await printAs(kind, document, format, { kept: async () => [], annotation }),
        final: true,
      };
    }),
    document: either(own.document, ({ kind, document }) => ({
      ...{ kind: kind.name, document, final: true, ...saidOf(kind, document) },
    })),
    events: either(own.events, () => []),
  };
}

/** An example as an entry of a list. */
export function summaryOf<House>({ title, kind, document }: Example<House>): MeasurementSummary {
  const { id, state, createdAt, endedAt, problem } = document;
  const summary = {
    ...summarise(kind, document),
    ...{ id, kind: kind.name, state, createdAt, endedAt, problem },
    ...{ title, generatedTitle: title, tags: [], url: addressOf(kind, id), queuePosition: null },
  };
  return summary as unknown as MeasurementSummary;
}

function printExample(document: AnyDocument): DocumentText {
  return { text: async () => JSON.stringify(document), packed: null, final: true };
}

/** Whatever changes a result or derives something from it. */
const acts = [
  ...['annotate', 'cancel', 'resume', 'bin', 'restore', 'remove'],
  ...['summary', 'document', 'kept', 'asked', 'changes'],
] as const satisfies (keyof Measurements)[];

/** The measurements of this server. Asked to change an example, it throws example_read_only. */
export function refuseExamples<House>(own: Measurements, examples: Examples<House>): Measurements {
  const refusing = acts.map((name) => {
    const act = own[name] as (...asked: unknown[]) => Promise<unknown>;
    return [name, (...asked: unknown[]) => act(...asked).catch((error: unknown) => explain(error, asked[0]))];
  });
  return { ...own, ...Object.fromEntries(refusing) };

  async function explain(error: unknown, asked: unknown): Promise<never> {
    if (!isUnknown(error)) throw error;
    // A comparison of two results has two IDs.
    const ids = typeof asked === 'string' ? [asked] : Object.values(asked as object);
    for (const id of ids) {
      if ((await examples.find(id)) === null) continue;
      throw problem(
        'example_read_only',
        `${id} came with TLS Toll. It can be read, but not changed or compared.`,
      );
    }
    throw error;
  }
}

/** Whether the store does not know the ID. */
function isUnknown(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'run_not_found';
}

/** The entry in `exampleList`, with the content of its file. */
type Example<House> = (typeof exampleList)[number] & ExampleFile<House>;

/** Results that came with the program. Their files are read once, when somebody first asks for them. */
export type Examples<House> = {
  /** The examples that can be read, in the order in which they are shown. */
  list(): Promise<readonly Example<House>[]>;
  find(id: string): Promise<Example<House> | null>;
};

type Options<House> = {
  kinds: readonly AnyKind<House>[];
  /** Called for each example that is missing, damaged, or has the ID of another. */
  onLeftOut(sentence: string, cause: unknown): void;
  /** Directory of the files; defaults to the shipped ones. */
  directory?: string;
};

export function openExamples<House>(options: Options<House>): Examples<House> {
  let read: Promise<readonly Example<House>[]> | null = null;
  const list = () => {
    read ??= readAll(options);
    return read;
  };
  return {
    list,
    find: async (id) => (await list()).find(({ document }) => document.id === id) ?? null,
  };
}

async function readAll<House>({ kinds, onLeftOut, directory }: Options<House>): Promise<Example<House>[]> {
  const found: Example<House>[] = [];
  for (const listed of exampleList) {
    const leaveOut = (why: string, cause: unknown = null) =>
      onLeftOut(`The example ${listed.name} is left out: ${why}.`, cause);
    try {
      const file = await readExample(kinds, pathOfExample(listed.name, directory));
      const other = found.find(({ document }) => document.id === file.document.id);
      if (other === undefined) found.push({ ...listed, ...file });
      else leaveOut(`it has the ID of ${other.name}`);
    } catch (cause) {
      leaveOut('its file cannot be read', cause);
    }
  }
  return found;
}

/** Examples that are listed, in this order. */
const asking = [
  { name: 'storefront', asks: 'What does HTTPS cost a shop with a database?' },
  { name: 'nginx', asks: 'What does HTTPS cost a web server that only sends files?' },
  { name: 'new-connections', asks: 'What does a new connection cost with RSA, compared with ECDSA?' },
  { name: 'post-quantum', asks: 'What does post-quantum key agreement add to a new connection?' },
  { name: 'sizes', asks: 'How does the cost of HTTPS grow with the size of a document?' },
  { name: 'prices', asks: 'What does TLS cost a web server, item by item?' },
  { name: 'library', asks: 'What does a new connection cost with a newer OpenSSL?' },
  { name: 'compression', asks: 'What does compressing its certificates cost a server?' },
  { name: 'mesh', asks: 'What do two sidecars cost, and how much of that is mutual TLS?' },
] as const;

export type ExampleName = (typeof asking)[number]['name'] | StudyMeasurementName;

type Listed = {
  name: ExampleName;
  /** Null for one that is not listed: it is the evidence of claims. */
  asks: string | null;
};

/**
 * Examples that come with the program; `npm run bench -- examples` measures them. One with the name of a measurement of the studies
 * answers their claims until that is measured here.
 */
export const exampleList: readonly Listed[] = [
  ...asking,
  ...studyMeasurementNames.flatMap((name) =>
    studyMeasurement(name).isShipped && asking.every((each) => each.name !== name)
      ? [{ name, asks: null }]
      : [],
  ),
];

/** The file of an example: the document of a result, and its generated title. */
export type ExampleFile<House> = {
  title: string;
  kind: AnyKind<House>;
  document: AnyDocument & z.infer<typeof framedSchema>;
};

/** The fields of every document that examples need. */
const framedSchema = z.looseObject({
  id: permalinkIdSchema,
  kind: z.string(),
  createdAt: unixMillisSchema,
  endedAt: unixMillisSchema.nullable(),
  environment: environmentSchema,
});

const fileSchema = z.strictObject({ title: z.string(), document: framedSchema });

const shipped = fileURLToPath(new URL('./shipped/', import.meta.url));

export function pathOfExample(name: ExampleName, directory = shipped): string {
  return join(directory, `${name}.json.gz`);
}

/** Reads any version that can be upgraded. Rejects if the file is missing or damaged, or its kind is unknown. */
export async function readExample<House>(
  kinds: readonly AnyKind<House>[],
  path: string,
): Promise<ExampleFile<House>> {
  const text = String(await promisify(gunzip)(await readFile(path)));
  const { title, document } = fileSchema.parse(JSON.parse(text));
  const kind = kinds.find(({ name }) => name === document.kind);
  if (kind === undefined) throw new Error(`There is no kind ${document.kind}.`);
  return { title, kind, document: { ...framedSchema.parse(document), ...upgradeDocument(kind, document) } };
}
