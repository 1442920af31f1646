import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { upgradeDocument } from '../database/upgrade-document.ts';
import { printCsv } from '../kinds/comparison/report/csv.ts';
import { printMarkdown } from '../kinds/comparison/report/markdown.ts';

export type DocumentFormat = 'json' | 'csv' | 'md';

const mediaTypes: Record<DocumentFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  md: 'text/markdown; charset=utf-8',
};

/** The document of a run. */
export function sendDocument(
  response: Response,
  id: string,
  format: DocumentFormat,
  { text, final }: { text: string; final: boolean },
): void {
  sendText(response, { id, format, final, text: format === 'json' ? text : print(format, text) });
}

function print(format: 'csv' | 'md', text: string): string {
  const document = upgradeDocument(JSON.parse(text));
  return format === 'csv' ? printCsv(document) : printMarkdown(document);
}

/**
 * A document, the same bytes by whatever address. A final one has a strong ETag and is asked for again each time, as it may
 * have been deleted; one that still grows is not kept at all.
 */
export function sendText(
  response: Response,
  { id, format, text, final }: { id: string; format: DocumentFormat; text: string; final: boolean },
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
