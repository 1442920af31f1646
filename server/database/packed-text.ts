import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { problem } from '../../shared/problem.ts';

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

/** Throws database_damaged: SQLite has no checksums, so what it read may not be what was stored. */
export async function unpackText(bytes: Uint8Array): Promise<string> {
  try {
    return (await decompress(bytes)).toString('utf8');
  } catch (cause) {
    throw problem('database_damaged', 'A stored text is damaged: it cannot be unpacked.', { cause });
  }
}
