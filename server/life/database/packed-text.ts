import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib';
import { problem } from '../../../shared/base/problem.ts';

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
