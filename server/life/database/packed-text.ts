import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { Column } from './columns.ts';
import type { firstTables } from './first-tables.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Long texts as they are stored: Brotli, off the main thread. */
export async function packText(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text, 'utf8');
  return await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Up to here, handing a text to another thread takes longer than unpacking it. */
const shortBytes = 4096;
/** Short texts that are unpacked in one go: some milliseconds. */
const atOnce = 256;

/** Many texts, in their order: a sweep keeps tens of thousands of short ones. Throws as below. */
export async function unpackTexts(packed: readonly Uint8Array[]): Promise<string[]> {
  const texts: (string | Promise<string>)[] = [];
  for (const bytes of packed) {
    if (bytes.length > shortBytes) {
      const text = unpackText(bytes);
      // It may fail before anybody waits for it; whoever waits for all is told.
      text.catch(() => {});
      texts.push(text);
    } else {
      texts.push(orDamaged(() => brotliDecompressSync(bytes, { chunkSize: 2048 }).toString('utf8')));
    }
    if (texts.length % atOnce === 0) await setImmediate();
  }
  return await Promise.all(texts);
}

/** Throws database_damaged: SQLite has no checksums, so what it read may not be what was stored. */
export async function unpackText(bytes: Uint8Array): Promise<string> {
  try {
    return (await decompress(bytes)).toString('utf8');
  } catch (cause) {
    throw damaged(cause);
  }
}

function orDamaged(unpack: () => string): string {
  try {
    return unpack();
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause: unknown) {
  return problem('database_damaged', 'A stored text is damaged: it cannot be unpacked.', { cause });
}

/** A column that holds JSON text, parsed and checked against a schema. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** The tables as queries see them; the plugin of `open-database.ts` turns these names into snake_case. */
export type Tables = {
  [Table in keyof typeof firstTables]: {
    [Name in keyof (typeof firstTables)[Table]]: (typeof firstTables)[Table][Name] extends Column<infer Value>
      ? Value
      : never;
  };
};

/** Metrics of a run in the history; `shared/kinds/comparison/metrics-history.ts` lists the columns. */
export type FigureTables = {
  metricFigures: {
    measurementId: string;
    place: number;
    question: string;
    metric: string;
    length: string;
    baseline: number | null;
    shift: number | null;
    shiftLo: number | null;
    shiftHi: number | null;
    ratio: number | null;
    ratioLo: number | null;
    ratioHi: number | null;
    verdict: string;
    /** Standard error of the ratio's logarithm. */
    withinError: number | null;
    samples: number | null;
    launchesVariance: number | null;
    launchesBySamples: number | null;
    launchesDegrees: number | null;
    wideningDrift: number | null;
    wideningTwin: number | null;
    wideningCarryOver: number | null;
    loadUsers: number | null;
    loadRatePerS: number | null;
    loadClass: string | null;
    targetKind: string | null;
    programs: string | null;
    departed: string | null;
    machine: string | null;
  };
};
