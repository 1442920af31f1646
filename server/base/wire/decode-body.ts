import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/**
 * The body without its content codings; null when it is not what Content-Encoding says or grows beyond `mostBytes`.
 * A coding that is not known is left alone: what was asked for is then found in the bytes as they are, or not.
 */
export function decodeBody(body: Buffer, contentEncoding: string, mostBytes: number): Buffer | null {
  const codings = contentEncoding.toLowerCase().split(',').reverse();
  let decoded = body;
  for (const coding of codings) {
    const decode = decoders[coding.trim()];
    if (decode === undefined || decoded.length === 0) continue;
    try {
      decoded = decode(decoded, { maxOutputLength: mostBytes });
    } catch {
      return null;
    }
  }
  return decoded;
}

type Decode = (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer;

const decoders: Record<string, Decode> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
