import { type Request, type Response, Router } from 'express';
import { ProblemError, problem } from '../../shared/problem.ts';
import { upgradeLabDocument } from '../database/upgrade-lab-document.ts';
import { printLabCsv } from '../measurement/lab-csv.ts';
import { printLabMarkdown } from '../measurement/lab-markdown.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { refuseMethod } from './endpoint.ts';
import { type DocumentFormat, sendDocument, sendText } from './send-document.ts';

type Stored = { text: string; final: boolean };
type Documents = {
  read(id: string): Promise<Stored>;
  send(response: Response, id: string, format: DocumentFormat, document: Stored): void;
};

/** `/r/{id}`: a run. */
export function runPermalinks({ control, clientDirectory }: AppParts): Router {
  return permalinks(clientDirectory, { read: (id) => control.readDocument(id), send: sendDocument });
}

/** `/l/{id}`: a measurement of the lab. */
export function labPermalinks({ lab, clientDirectory }: AppParts): Router {
  return permalinks(clientDirectory, {
    read: (id) => lab.readDocument(id),
    send(response, id, format, { text, final }) {
      sendText(response, { id, format, final, text: format === 'json' ? text : printLab(format, text) });
    },
  });
}

function printLab(format: 'csv' | 'md', text: string): string {
  const document = upgradeLabDocument(JSON.parse(text));
  return format === 'csv' ? printLabCsv(document) : printLabMarkdown(document);
}

/** A page for people; the document by suffix, or by Accept on the bare address. */
function permalinks(clientDirectory: string, { read, send }: Documents): Router {
  const router = Router();

  router.get('/:name', async (request, response, next) => {
    const link = /^([0-9A-Za-z]{22})(?:\.(json|csv|md))?$/.exec(request.params.name);
    if (link === null) return next('router');
    const [, id = '', suffix] = link;
    if (suffix !== undefined) return send(response, id, suffix as DocumentFormat, await read(id));
    response.vary('Accept');
    const format = negotiate(request);
    if (format === null) throw problem('not_acceptable', 'A measurement is a page, JSON, CSV or Markdown.');
    if (format === 'html') return sendClient(response, clientDirectory, await statusOf(id));
    send(response, id, format, await read(id));
  });
  router.all('/:name', refuseMethod(['GET', 'HEAD']));
  return router;

  /** The page explains by itself why there is nothing; the status says the same to everyone else. */
  async function statusOf(id: string): Promise<number> {
    try {
      await read(id);
      return 200;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem.status;
      throw error;
    }
  }
}

const formats: Record<string, DocumentFormat | 'html'> = {
  'text/html': 'html',
  'application/json': 'json',
  'text/csv': 'csv',
  'text/markdown': 'md',
};

function negotiate(request: Request): DocumentFormat | 'html' | null {
  const type = request.accepts(Object.keys(formats));
  return type === false ? null : (formats[type] ?? null);
}
