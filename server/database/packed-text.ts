import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

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

export async function unpackText(bytes: Uint8Array): Promise<string> {
  return (await decompress(bytes)).toString('utf8');
}
