import { problem } from '../../../shared/base/problem.ts';
import type { ImportFormat, ImportReport, TrafficChoices } from '../../../shared/scenario/import.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { trafficToScenario } from '../traffic/traffic-to-scenario.ts';
import { detectFormat } from './detect-format.ts';
import { readHar } from './har/read-har.ts';
import { importText, reportOfScenario, textLimitBytes } from './import-text.ts';
import { openYield } from './yield-limit.ts';

export type ImportFacts = { name: string; format?: ImportFormat | undefined; choices: TrafficChoices };

/** Enough to see the first keys of a document. */
const headBytes = 64 * 1024;

/**
 * Imports what comes in pieces; a HAR is read as it comes, everything else is small. Throws import_unreadable with the
 * entry or the line.
 */
export async function importStream(
  chunks: AsyncIterable<Uint8Array>,
  facts: ImportFacts,
): Promise<ImportReport> {
  const { head, all } = await peekText(chunks);
  const format = facts.format ?? detectFormat(head.toString('utf8'));
  const report =
    format === 'har'
      ? await importHar(all, facts)
      : importText(await readSmall(all, textLimitBytes[format]), { ...facts, format });
  demandSmall(report);
  return report;
}

/** Part by part: whole, it may be more than fits into memory. */
function demandSmall({ scenario, actions, unsupported, ...rest }: ImportReport): void {
  const take = openYield();
  take(null, { ...rest, scenario: { ...scenario, steps: [] } });
  for (const step of scenario?.steps ?? []) take(null, step);
  for (const action of actions) take(action.line ?? null, action);
  for (const each of unsupported) take(each.line, each);
}

/** The same as `peek`, in UTF-8. PowerShell and Excel write UTF-16. */
async function peekText(chunks: AsyncIterable<Uint8Array>): ReturnType<typeof peek> {
  const written = await peek(chunks);
  const encoding = utf16In(written.head);
  return encoding === null ? written : peek(inUtf8(written.all, encoding));
}

/**
 * By its byte order mark, or by the zero bytes that ASCII has in UTF-16: before each character in big endian, behind it
 * in little endian. UTF-8 has none. Null for other encodings.
 */
function utf16In(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1;
  const [fewer = 0, more = 0] = [zeros.even, zeros.odd].sort((a, b) => a - b);
  if (more * 8 < head.length || fewer * 10 > more) return null;
  const isLittle = more === zeros.odd;
  // A text begins with a character of ASCII here: a bracket, a word, a space or a comment.
  const first = isLittle ? head[0] : head[1];
  if (first === undefined || !/[\t\n\r -~]/.test(String.fromCharCode(first))) return null;
  return isLittle ? 'utf-16le' : 'utf-16be';
}

async function* inUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return encoder.encode(decoder.decode(bytes, { stream }));
    } catch {
      throw problem('import_unreadable', 'The file begins as UTF-16 and has bytes that are not text.');
    }
  };
  for await (const chunk of chunks) yield decode(chunk, true);
  yield decode(new Uint8Array(), false);
}

/** The beginning, and the whole from the beginning. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const source = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const { value, done } = await source.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* all() {
    try {
      yield* first.splice(0);
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  return { head: Buffer.concat(first).subarray(0, headBytes), all: all() };
}

async function importHar(
  chunks: AsyncIterable<Uint8Array>,
  { name, choices }: ImportFacts,
): Promise<ImportReport> {
  const { exchanges, unsupported, notes, scenario } = await readHar(chunks);
  const report =
    scenario === null
      ? { format: 'har' as const, actions: [], ...trafficToScenario(exchanges, name, choices) }
      : reportOfScenario('har', withPauses(scenario, choices), choices.declined);
  const all = [...unsupported, ...report.unsupported];
  return {
    ...report,
    // Lines of a scenario are its steps, not entries of the file.
    unsupported: scenario === null ? all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) : all,
    notes: [...notes, ...report.notes],
  };
}

/** As a recording's pauses are scaled. */
function withPauses(scenario: Scenario, { thinkTimeScale }: TrafficChoices): Scenario {
  const scaled = (ms: number) => Math.min(60_000, Math.round(ms * thinkTimeScale));
  const steps = scenario.steps.map((step) => ({ ...step, thinkTimeMs: scaled(step.thinkTimeMs) }));
  return { ...scenario, steps };
}

async function readSmall(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limitBytes) {
      const limit = `${limitBytes / 1024} KiB`;
      throw problem('import_unreadable', `The text is larger than ${limit}. Only a HAR may be larger.`);
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('utf8');
}
