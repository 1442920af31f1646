import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { documentLinks, permalinkId } from './links.ts';
import { originOf } from './origin-of.ts';
import { preload } from './preload.ts';
import { previewOf } from './preview.ts';
import { sendDocument, sendText } from './send-text.ts';
import { statusOf } from './status-of.ts';

const others = ['json', 'csv', 'jsonl', 'parquet', 'md'] as const;

/** `/r/{id}` and `/l/{id}`. */
export function permalinks({ results, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, others, async (id, format, request, response) => {
    if (format === 'html') {
      const status = await statusOf(results.demandReadable(id));
      if (status === 200) preload(response, `/measurements/${id}/page`);
      const preview = status === 200 ? previewOf(await results.summary(id), originOf(request)) : null;
      return sendClient(response, clientDirectory, status, preview);
    }
    if (format === 'json') return sendDocument(response, id, await results.readDocument(id));
    await sendText(response, { id, format, ...(await results.print(id, format)) });
  });
}
