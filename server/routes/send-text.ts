import { createHash } from 'node:crypto';
import type { Response } from 'express';

export type DocumentFormat = 'json' | 'csv' | 'md';
/** With what is sent of a part of a document. */
type TextFormat = DocumentFormat | 'ab.txt';

const mediaTypes: Record<TextFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  md: 'text/markdown; charset=utf-8',
  'ab.txt': 'text/plain; charset=utf-8',
};

/**
 * A document, the same bytes by whatever address. A final one has a strong ETag and is asked for again each time, as it may
 * have been deleted; one that still grows is not kept at all.
 */
export function sendText(
  response: Response,
  { id, format, text, final }: { id: string; format: TextFormat; text: string; final: boolean },
): void {
  const bytes = Buffer.from(text, 'utf8');
  response.set('Content-Type', mediaTypes[format]);
  if (response.req.query.download !== undefined) {
    response.set('Content-Disposition', `attachment; filename="tls-toll-${id}.${format}"`);
  }
  if (final) response.set({ 'Cache-Control': 'no-cache', ETag: strongEntityTag(bytes) });
  else response.set('Cache-Control', 'no-store');
  response.send(bytes);
}

function strongEntityTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}
