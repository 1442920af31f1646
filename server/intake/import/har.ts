import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';
import { problem } from '../../../shared/base/problem.ts';
import {
  type Exchange,
  headerOf,
  recordingLimits,
  type Unsupported,
} from '../../../shared/scenario/import.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import { entryTexts, exchangesOf } from '../export/written-values.ts';
import { escapeTemplate } from '../scenario/template.ts';
import { withSentTexts } from '../traffic/redaction.ts';
import { readHarEntry } from './har-entries.ts';

/** The most that is read of a HAR. The server says it without loading what reads one. */
export const harLimitBytes = 64 * 1024 * 1024;

type Har = {
  exchanges: Exchange[];
  unsupported: Unsupported[];
  notes: string[];
  /** The scenario that was exported as this HAR, if nobody has changed it since. */
  scenario: Scenario | null;
};

/**
 * Reads a HAR as it comes, and keeps of it what a scenario may need. Either all of it is read or nothing: a broken,
 * truncated or oversized HAR throws import_unreadable with the entry.
 */
export async function readHar(chunks: AsyncIterable<Uint8Array>): Promise<Har> {
  const gathered = openGathering();
  const reader = openJsonItems(['log', 'entries'], gathered.add);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > harLimitBytes) {
        throw problem('import_unreadable', `The HAR is larger than ${harLimitBytes / 1024 / 1024} MiB.`);
      }
      reader.write(chunk);
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const where = error.item === null ? 'The HAR' : `Entry ${error.item} of the HAR`;
    throw problem('import_unreadable', { detail: `${where} ${error.message}.`, ...detailsOf(error.cause) });
  }
  if (!reader.found)
    throw problem(
      'import_unreadable',
      'The file is JSON but not a HAR: it has no log.entries. In DevTools, choose Export HAR in the Network panel.',
    );
  return gathered.finish();
}

function openGathering() {
  const exchanges: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  const untimed: number[] = [];
  const unanswered: number[] = [];
  const forOthers: number[] = [];
  const odd = new Map<string, number[]>();
  let isChromes = false;
  let exported: Scenario | null = null;
  let bodiesLength = 0;
  let bodiesDropped = 0;

  return {
    add(value: unknown, number: number): void {
      if (number > recordingLimits.exchanges) {
        throw problem(
          'import_unreadable',
          `Entry ${number}: a HAR may have ${recordingLimits.exchanges} entries, and this one has more. Record less at a time.`,
        );
      }
      const entry = readHarEntry(value, number);
      if ('reason' in entry) {
        unsupported.push({ line: number, reason: `Entry ${number} ${entry.reason}.` });
        return;
      }
      const { exchange, isTimed, isAnswered, isForOther, scenario } = entry;
      for (const field of entry.odd) odd.set(field, [...(odd.get(field) ?? []), number]);
      exported ??= scenario;
      isChromes ||= entry.isChromes;
      if (!isTimed) untimed.push(number);
      if (!isAnswered) unanswered.push(number);
      if (isForOther) forOthers.push(number);
      const length = exchange.responseBody?.length ?? 0;
      // Scripts come first in a page, and what they leave is for what brings more values.
      const isScript = exchange.resourceType === 'script';
      const kept = bodiesLength + length <= recordingLimits.responseBodiesLength / (isScript ? 4 : 1);
      if (kept) bodiesLength += length;
      else if (!isScript) bodiesDropped += 1;
      exchanges.push(kept ? exchange : { ...exchange, responseBody: null });
    },

    finish(): Har {
      const timed = withTimes(exchanges, new Set(untimed));
      const first = timed.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Infinity);
      const ordered = timed
        .map((exchange) => ({ ...exchange, startedAtMs: exchange.startedAtMs - first }))
        .sort((a, b) => a.startedAtMs - b.startedAtMs || a.number - b.number);
      const notes = [
        ...noteOn(untimed, 'no time, so each follows the entry before it without a pause'),
        ...noteOn(unanswered, 'no response, so status 200 is expected'),
        ...noteOn(
          forOthers,
          'a Host header that differs from the address. A run sends the host of its target',
        ),
        ...[...odd]
          .slice(0, mostOddFields)
          .flatMap(([field, numbers]) =>
            noteOn(numbers, `a field ${field} that cannot be read. It is left out`),
          ),
        ...credentialNotes(ordered, isChromes),
        ...(bodiesDropped === 0
          ? []
          : [`${bodiesDropped} large responses were not searched for values that later requests send.`]),
      ];
      const scenario = exported !== null && isExportOf(exported, ordered) ? exported : null;
      if (exported !== null && scenario === null) notes.push(changedSinceExport);
      return { exchanges: ordered, unsupported, notes, scenario };
    },
  };
}

/**
 * On credentials that are missing. Chrome's usual export has none, and the steps would be a stranger's: pages of
 * somebody who is not signed in.
 */
function credentialNotes(exchanges: readonly Exchange[], isChromes: boolean): string[] {
  const has = (of: Exchange, name: string) => headerOf(of.requestHeaders, name) !== undefined;
  if (exchanges.some((each) => has(each, 'cookie') || has(each, 'authorization'))) return [];
  const asks = exchanges.some(({ status, origin, responseHeaders }, index) => {
    const sets = headerOf(responseHeaders, 'set-cookie') !== undefined;
    return status === 401 || (sets && exchanges.slice(index + 1).some((later) => later.origin === origin));
  });
  const advice = 'Export with sensitive data, or give the steps a Cookie or Authorization header.';
  if (asks && isChromes) return [`Chrome removed cookies and Authorization from this file. ${advice}`];
  if (asks)
    return [`Cookies and Authorization are missing from this file, and the site asks for them. ${advice}`];
  return isChromes && exchanges.length > 0
    ? [
        'No request in this file has cookies or Authorization. Chrome removes them unless you export with sensitive data.',
      ]
    : [];
}

/** Nobody reads a longer list. */
const mostOddFields = 20;

const changedSinceExport =
  'The HAR was changed after TLS Toll exported it: names, checks, extracted values, and data rows are left out.';

/** Whether the entries are those that the scenario is exported as. */
function isExportOf(scenario: Scenario, entries: readonly Exchange[]): boolean {
  const expected = exchangesOf(scenario, entries[0]?.origin ?? '').map(asRead);
  return JSON.stringify(expected.map(sentOf)) === JSON.stringify(entries.map(sentOf));
}

/** The exchange as `readHarEntry` reads it from a written entry. */
function asRead(exchange: Exchange): Exchange {
  const { exchange: written, hasNames } = entryTexts(exchange);
  return hasNames ? written : withSentTexts(written, escapeTemplate);
}

function sentOf({ method, origin, path, requestHeaders, requestBody, status }: Exchange) {
  // A HAR tells an empty body from none no more than the wire does.
  return { method, origin, path, requestHeaders, requestBody: requestBody || null, status };
}

/** An entry without a time has that of the one before it, and the first ones that of the first that has one. */
function withTimes(exchanges: readonly Exchange[], untimed: ReadonlySet<number>): Exchange[] {
  let last = exchanges.find(({ number }) => !untimed.has(number))?.startedAtMs ?? 0;
  return exchanges.map((exchange) => {
    if (!untimed.has(exchange.number)) last = exchange.startedAtMs;
    return { ...exchange, startedAtMs: last };
  });
}

function noteOn(numbers: readonly number[], fact: string): string[] {
  if (numbers.length === 0) return [];
  const named = numbers.slice(0, 5).join(', ');
  const more = numbers.length > 5 ? ` and ${numbers.length - 5} more` : '';
  return [numbers.length === 1 ? `Entry ${named} has ${fact}.` : `Entries ${named}${more} have ${fact}.`];
}

/**
 * The items of one array of a large JSON document, one at a time: `log.entries` of a HAR. What lies beside the
 * array is read over without being kept, so memory holds one item, whatever the size of the document.
 */
type JsonItems = {
  /** Throws JsonError. */
  write(bytes: Uint8Array): void;
  /** Throws JsonError when the document is cut off. */
  end(): void;
  /** Whether the array was there. */
  readonly found: boolean;
};

/** Not JSON, or more than the limits allow; `item` is the place of the item, from 1, or null outside of the array. */
export class JsonError extends Error {
  readonly item: number | null;

  constructor(message: string, item: number | null, cause: unknown = null) {
    super(message, { cause });
    this.item = item;
  }
}

const limits = { depth: 100, valuesOfAnItem: 200_000 };

const opening = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const closing = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

export function openJsonItems(path: string[], onItem: (item: unknown, number: number) => void): JsonItems {
  // In buffers of its own, since a string that grows by characters takes many times its size.
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  // Partial values are reported too, which reveals an array without items.
  const parser = new TokenParser({
    paths: [['$', ...path, '*'].join('.')],
    keepStack: false,
    emitPartialValues: true,
  });
  let depth = 0;
  /** Depth of brackets around the items; null before and after them. */
  let itemsDepth: number | null = null;
  let found = false;
  let items = 0;
  let tokens = 0;

  parser.onValue = ({ value, parent, partial }) => {
    if (!Array.isArray(parent)) return;
    if (partial) {
      found = true;
      itemsDepth = depth;
    } else {
      items += 1;
      onItem(value, items);
    }
  };
  tokenizer.onToken = (info) => {
    if (opening.has(info.token)) depth += 1;
    if (depth > limits.depth) throw jsonError(`is nested deeper than ${limits.depth} levels`);
    tokens = isInItem() ? tokens + 1 : 0;
    // A value in an object is four tokens: its key, a colon, itself and a comma.
    if (tokens > 4 * limits.valuesOfAnItem) throw jsonError(`has more than ${limits.valuesOfAnItem} values`);
    parser.write(info);
    if (closing.has(info.token)) depth -= 1;
    if (itemsDepth !== null && depth < itemsDepth) itemsDepth = null;
  };
  tokenizer.onError = (error) => {
    if (error instanceof TokenizerError || error instanceof TokenParserError)
      throw jsonError('is not JSON', error);
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw jsonError('is not written in UTF-8', error);
    }
    throw error;
  };

  function isInItem(): boolean {
    return itemsDepth !== null && depth > itemsDepth;
  }

  function jsonError(what: string, cause?: unknown): JsonError {
    return new JsonError(what, isInItem() ? items + 1 : null, cause);
  }

  return {
    write: (bytes) => tokenizer.write(bytes),
    end() {
      if (!parser.isEnded) throw new JsonError('ends too early', isInItem() ? items + 1 : null);
    },
    get found() {
      return found;
    },
  };
}
