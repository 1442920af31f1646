import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import type { Endpoint } from '../../../shared/api/endpoint.ts';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { type AuditEvent, otherActs } from '../../../shared/team/audit.ts';
import { printCsvLines } from '../../base/text/csv-lines.ts';
import { printJsonLines } from '../../base/text/json-lines.ts';
import type { Table } from '../../base/text/table.ts';
import type { Audit } from '../../life/audit/open-audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveRaw } from './endpoint.ts';

/** The audit log: a page at a time, or all of it as a file. */
export function audit(router: Router, { audit: log }: AppParts): void {
  serve(router, 'listAudit', async ({ query }) => {
    const { page, nextCursor } = await log.list(query);
    return { events: page.map(inWords), nextCursor };
  });

  serveRaw(router, 'exportAudit', async ({ query: { as } }, _request, response) => {
    response
      .set('Cache-Control', 'no-store')
      .attachment(`audit.${as}`)
      .set('Content-Type', `${mediaTypes[as]}; charset=utf-8`);
    await pipeline(Readable.from(textOf(log, as)), response);
  });
}

const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' };

const columns = ['time', 'who', 'key', 'from', 'what', 'act', 'subject', 'host', 'note', 'id'] as const;

async function* textOf(log: Audit, as: 'csv' | 'jsonl'): AsyncGenerator<string> {
  if (as === 'csv') yield printCsvLines([[...columns]]);
  for await (const rows of log.all()) {
    const table: Table = rows.map(inWords).map((event) => {
      const cells = { ...event, time: new Date(event.at).toISOString() };
      return columns.map((column) => cells[column]);
    });
    yield as === 'csv' ? printCsvLines(table) : printJsonLines([[...columns], ...table]);
  }
}

/** An act that only another version knows keeps its name. */
function inWords(row: Omit<AuditEvent, 'act'>): AuditEvent {
  return { ...row, act: acts.get(row.what) ?? otherActs[row.what] ?? row.what };
}

const acts = new Map(
  Object.entries(endpoints).flatMap(([name, { act }]: [string, Endpoint]) =>
    act === undefined ? [] : [[name, act]],
  ),
);
