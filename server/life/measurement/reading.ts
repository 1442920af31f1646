import { createHash } from 'node:crypto';
import type { Environment } from '../../../shared/base/environment.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { ResultPair } from '../../../shared/kinds/comparison/result-changes.ts';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printCsvLines, printJsonLines } from '../../base/text/terminal.ts';
import type { AnyDocument, AnyKind, Changes, Titled } from '../../kinds/kind.ts';
import { listEvents } from '../database/events.ts';
import { findAnnotation } from '../database/insert-measurement.ts';
import { findMeasurement, findState, readDocument } from '../database/measurements.ts';
import { packText, unpackText } from '../database/packed-text.ts';
import { findLabels } from '../database/runners.ts';
import type { DocumentText, KeptOf, Measurements, PrintFormat } from './asked-measurements.ts';
import type { Given } from './create.ts';
import { told, withEnd } from './event-log.ts';
import { frameOf } from './life.ts';
import { findKnown, readBlocks, saidOf, upgradeDocument } from './summaries.ts';
import { hashText } from './tokens.ts';

type Parts<House> = Readable<House> & { list: Pick<Measurements, 'annotation'> };

/** Everything that can be read of one measurement, over or not. */
export function openReading<House>({ list, ...readable }: Parts<House>) {
  const { database, lives, kindOf } = readable;
  const shownText = openShownTexts();

  return {
    async readDocument(id) {
      const { text, packed, final } = await readNow(readable, id);
      return { text, packed, final };
    },

    readShown: async (id) => shownText(await readNow(readable, id)),

    async demandReadable(id) {
      if (lives.of(id) === undefined) await readNow(readable, id);
    },

    async print(id, format) {
      const { kind, document, final } = await parseNow(readable, id);
      const kept = () => readBlocks(database, kind, id);
      const annotation = () => findAnnotation(database, id);
      return { content: await printAs(kind, document, format, { kept, annotation }), final };
    },

    async document(id) {
      const { kind, ...rest } = await parseNow(readable, id);
      return { ...rest, kind: kind.name, ...saidOf(kind, rest.document) };
    },

    changes(pair) {
      const document = (id: string) => parseNow(readable, id);
      return readChanges({ document, titleOf: async (id) => (await list.annotation(id)).title }, pair);
    },

    kept: (id) => readKept(readable, id),

    async asked(id) {
      const { kind, frame, facts } = await readKept(readable, id);
      const { generatedTitle: title, tags } = await list.annotation(id);
      const secrets = kindOf(kind).secretsOf(frame.request, facts);
      const labels = await findLabels(database, id);
      const requestHash = hashText(JSON.stringify(frame.request));
      return { kind, request: frame.request, requestHash, secrets, title, tags, labels };
    },

    async events(id, afterId) {
      const { state } = await findKnown(database, id, () => findState(database, id));
      const events = await listEvents(database, id, afterId);
      // Who has read as far as the log goes has had its end, if it was told at all.
      if (events.length === 0 && afterId > 0) return [];
      // One that was resumed meanwhile has no end: whoever asks again follows it.
      return (isOver(state) ? withEnd(events, state, afterId) : events).map(told);
    },
  } satisfies Partial<Measurements>;
}

type Stored<House> = {
  document(id: string): Promise<{ kind: AnyKind<House>; document: AnyDocument; final: boolean }>;
  titleOf(id: string): Promise<string>;
};

/**
 * Changes between two finished results of one kind. Throws run_not_found, run_deleted, run_binned, run_newer,
 * run_unfinished, results_not_comparable; each names the result that it is about.
 */
async function readChanges<House>(stored: Stored<House>, { from, to }: ResultPair): Promise<Changes> {
  if (from === to) throw problem('results_not_comparable', 'Both are the same result.');
  const one = await open(stored, from, 'first');
  const other = await open(stored, to, 'second');
  if (one.kind !== other.kind) {
    throw problem(
      'results_not_comparable',
      `The first result is ${one.kind.noun}, the second ${other.kind.noun}.`,
    );
  }
  return one.kind.changes(one, other);
}

type Which = 'first' | 'second';

async function open<House>(
  stored: Stored<House>,
  id: string,
  which: Which,
): Promise<Titled<AnyDocument> & { kind: AnyKind<House> }> {
  const { kind, document, final } = await stored.document(id).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
    const { code, detail } = error.problem;
    throw problem(code, `The ${which} result, ${id}, cannot be opened. ${detail}`);
  });
  const { state } = document;
  if (!final) throw problem('run_unfinished', `The ${which} result, ${id}, is ${state}.`);
  if (state !== 'finished') {
    const fact = `The ${which} result, ${id}, is ${state}. Only finished results can be compared.`;
    throw problem('results_not_comparable', fact);
  }
  return { kind, document, title: await stored.titleOf(id) };
}

type Readable<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf'> & {
  /** Environment of measurements that have not begun. */
  environment: Environment;
};

/** `value` is the document where it is parsed already. */
type Whole<House> = DocumentText & { kind: AnyKind<House>; value: unknown };

/** The document as it is now: of one that is over as it was stored, upgraded; of any other made of what was kept. */
async function readNow<House>(
  { database, lives, kindOf, environment }: Readable<House>,
  id: string,
): Promise<Whole<House>> {
  const life = lives.of(id);
  if (life !== undefined) {
    return {
      kind: life.kind,
      value: life.document(),
      text: async () => life.text(),
      packed: null,
      final: false,
    };
  }
  const record = await findKnown(database, id, () => findState(database, id));
  const kind = kindOf(record.kind);
  if (!isOver(record.state)) {
    const begun = await findKnown(database, id, () => findMeasurement(database, id));
    const frame = frameOf(begun, kind.requestSchema.parse(begun.request), environment);
    const facts = kind.factsSchema.parse(begun.facts);
    const value = kind.documentOf(frame, { facts, blocks: await readBlocks(database, kind, id) });
    return { kind, value, text: async () => JSON.stringify(value), packed: null, final: false };
  }
  const stored = await readDocument(database, id);
  if (stored === null) throw problem('database_damaged', `The document of ${id} is missing.`);
  if (stored.schemaVersion === kind.documentVersion) {
    return { kind, value: null, text: stored.unpack, packed: stored.packed, final: true };
  }
  const value = upgradeDocument(kind, JSON.parse(await stored.unpack()));
  return { kind, value, text: async () => JSON.stringify(value), packed: null, final: true };
}

/** The same, parsed. */
async function parseNow<House>(
  readable: Readable<House>,
  id: string,
): Promise<{ kind: AnyKind<House>; document: AnyDocument; final: boolean }> {
  const { kind, value, text, final } = await readNow(readable, id);
  const parsed = value === null ? kind.documentSchema.safeParse(JSON.parse(await text())) : null;
  if (parsed?.success === false) throw problem('database_damaged', `The document of ${id} is not valid.`);
  return { kind, document: (value ?? parsed?.data) as AnyDocument, final };
}

/** Facts of a measurement, and how to read its blocks, now or when it ended. */
async function readKept<House>(
  { database, lives, kindOf, environment }: Readable<House>,
  id: string,
): Promise<KeptOf> {
  const life = lives.of(id);
  if (life !== undefined) {
    const { frame, kept } = life.kept();
    const blocks = async (place: number) =>
      kept.blocks.filter((block) => life.kind.placeOf?.(block) === place);
    return { kind: life.kind.name, frame, facts: kept.facts, blocks };
  }
  const record = await findKnown(database, id, () => findMeasurement(database, id));
  const { requestSchema, factsSchema, blockSchema, placeOf } = kindOf(record.kind);
  const [request, facts] = [requestSchema.safeParse(record.request), factsSchema.safeParse(record.facts)];
  if (!request.success || !facts.success)
    throw problem('not_found', `Only the result of ${id} was kept, not the data behind it.`);
  return {
    kind: record.kind,
    frame: frameOf(record, request.data, environment),
    facts: facts.data,
    blocks: async (place) => {
      const blocks = await readBlocks(database, { blockSchema }, id, place);
      return blocks.filter((block) => placeOf?.(block) === place);
    },
  };
}

/** Most documents kept of those opened lately. */
const mostKept = 50;

type TextsWhole = DocumentText & { kind: Pick<AnyKind<unknown>, 'shown'>; value: unknown };

/**
 * Texts of documents for pages. Making one takes 8 ms for a run, so it is made once for all who look: once per stored
 * document, and once per state of one that still changes.
 */
export function openShownTexts(): (whole: TextsWhole) => Promise<DocumentText> {
  const ofStored = new Map<string, Promise<Uint8Array>>();
  const ofLive = new WeakMap<object, string>();

  function packedOnce(bytes: Uint8Array, make: () => Promise<string>): Promise<Uint8Array> {
    const key = createHash('sha256').update(bytes).digest('base64');
    const known = ofStored.get(key);
    if (known !== undefined) return known;
    const made = make().then(packText);
    ofStored.set(key, made);
    // It may succeed the next time.
    made.catch(() => ofStored.delete(key));
    for (const oldest of ofStored.keys()) {
      if (ofStored.size <= mostKept) break;
      ofStored.delete(oldest);
    }
    return made;
  }

  return async ({ kind, value, text, packed, final }) => {
    const { shown } = kind;
    if (shown === undefined) return { text, packed, final };
    const print = (document: unknown) => JSON.stringify(shown(document as AnyDocument));
    if (packed !== null) {
      const small = await packedOnce(packed, async () => print(JSON.parse(await text())));
      return { text: () => unpackText(small), packed: small, final };
    }
    const document = (value ?? JSON.parse(await text())) as object;
    const printed = ofLive.get(document) ?? print(document);
    ofLive.set(document, printed);
    return { text: async () => printed, packed: null, final };
  };
}

type Beside = {
  /** Blocks of it. Called only for a kind whose document does not contain them. */
  kept(): Promise<unknown[]>;
  /** Texts that people wrote on it: a report contains them, data never do. */
  annotation(): Promise<Annotation>;
};

export async function printAs<House>(
  kind: AnyKind<House>,
  document: AnyDocument,
  format: PrintFormat,
  { kept, annotation }: Beside,
): Promise<string | Uint8Array> {
  if (format === 'md') return printMarkdown(kind.report(document), await annotation());
  if (format === 'csv') return printCsvLines(kind.rows(document));
  const rows = kind.blockRows === undefined ? kind.rows(document) : kind.blockRows(document, await kept());
  if (format === 'jsonl') return printJsonLines(rows);
  const { printParquet } = await import('../../base/text/parquet-file.ts');
  return printParquet(rows);
}
