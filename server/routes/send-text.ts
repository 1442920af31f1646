import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { PrintFormat } from '../measurement/measurements.ts';

export type DocumentFormat = 'json' | PrintFormat;
/** With what is sent of a part of a document, and with its page. */
type TextFormat = DocumentFormat | 'ab.txt' | 'html';

const mediaTypes: Record<TextFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  md: 'text/markdown; charset=utf-8',
  'ab.txt': 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

type Sent = { id: string; format: TextFormat; content: string | Uint8Array; final: boolean };

/**
 * A document, the same bytes by whatever address, compressed where the client takes that. A final one has a strong ETag, one
 * for each form, and is asked for again each time, as it may have been deleted; one that still grows is not kept at all.
 */
export async function sendText(response: Response, { id, format, content, final }: Sent): Promise<void> {
  const { req: request } = response;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
  const encoding = encodingFor(request, bytes);
  response.set('Content-Type', mediaTypes[format]).vary('Accept-Encoding');
  if (request.query.download !== undefined) {
    response.set('Content-Disposition', `attachment; filename="tls-toll-${id}.${format}"`);
  }
  if (final) response.set({ 'Cache-Control': 'no-cache', ETag: strongEntityTag(bytes, encoding) });
  else response.set('Cache-Control', 'no-store');
  if (request.fresh || encoding === null) response.send(bytes);
  else response.set('Content-Encoding', encoding).send(await compressors[encoding](bytes));
}

/** The better one first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** Fast rather than small: this happens while somebody waits. */
const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Less than this fits into a packet or two as it is. */
const smallBytes = 2000;

function encodingFor(request: Request, bytes: Uint8Array): Encoding | null {
  if (bytes.length < smallBytes || request.headers['accept-encoding'] === undefined) return null;
  return encodings.find((encoding) => request.acceptsEncodings(encoding) === encoding) ?? null;
}

function strongEntityTag(bytes: Uint8Array, encoding: Encoding | null): string {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}
