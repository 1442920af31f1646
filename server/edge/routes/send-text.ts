import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { DocumentText, PrintFormat } from '../../life/measurement/measurements.ts';

type DocumentFormat = 'json' | PrintFormat;
/** With what is sent of a part of a document, and with its page. */
type TextFormat = DocumentFormat | 'ab.txt' | 'html' | 'folded' | 'speedscope.json';

const mediaTypes: Record<TextFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  md: 'text/markdown; charset=utf-8',
  'ab.txt': 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  folded: 'text/plain; charset=utf-8',
  'speedscope.json': 'application/json; charset=utf-8',
};

type Sent = { id: string; format: TextFormat; content: string | Uint8Array; final: boolean };

/**
 * A document, the same bytes by whatever address, compressed where the client takes that. A final one has a strong ETag, one
 * for each form, and is asked for again each time, as it may have been deleted; one that still grows is not kept at all.
 */
export async function sendText(response: Response, { id, format, content, final }: Sent): Promise<void> {
  const { req: request } = response;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
  const encoding = bytes.length < smallBytes ? null : encodingFor(request);
  describe(response, { id, format }, final ? strongEntityTag(bytes, encoding) : null);
  if (request.fresh || encoding === null) response.send(bytes);
  else response.set('Content-Encoding', encoding).send(await compressors[encoding](bytes));
}

/** The same for a measurement's document, as it is stored where the client takes that: a sweep has megabytes. */
export async function sendDocument(
  response: Response,
  id: string,
  { text, packed, final }: DocumentText,
): Promise<void> {
  if (packed === null || encodingFor(response.req) !== 'br') {
    return sendText(response, { id, format: 'json', content: await text(), final });
  }
  describe(response, { id, format: 'json' }, strongEntityTag(packed, 'br'));
  if (!response.req.fresh) response.set('Content-Encoding', 'br');
  response.send(Buffer.from(packed));
}

function describe(response: Response, { id, format }: Pick<Sent, 'id' | 'format'>, etag: string | null) {
  response.set('Content-Type', mediaTypes[format]).vary('Accept-Encoding');
  if (response.req.query.download !== undefined) {
    response.set('Content-Disposition', `attachment; filename="tls-toll-${id}.${format}"`);
  }
  if (etag === null) response.set('Cache-Control', 'no-store');
  else response.set({ 'Cache-Control': 'no-cache', ETag: etag });
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

function encodingFor(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined) return null;
  return encodings.find((encoding) => request.acceptsEncodings(encoding) === encoding) ?? null;
}

function strongEntityTag(bytes: Uint8Array, encoding: Encoding | null): string {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}
