import { type LabDocument, type LabRequest, labDocumentSchema } from '../../shared/lab-document.ts';
import type { ApiClient } from './api-client.ts';
import { printLabEvent } from './print-lab-step.ts';
import { withDashboard } from './with-dashboard.ts';

/**
 * Has the dashboard measure it, which measures one thing at a time, and prints what stands at the permalink then.
 * Resolves to the exit code.
 */
export function measureInLab<Document extends LabDocument>(
  request: LabRequest & Pick<Document, 'kind'>,
  print: (document: Document, text: string) => string,
): Promise<number> {
  return withDashboard(async (api, url) => {
    const { id, text } = await follow(api, request);
    if (url !== null) process.stderr.write(`Permalink: ${url}/l/${id}\n`);
    const document = labDocumentSchema.parse(JSON.parse(text));
    process.stdout.write(print(document as Document, text));
    if (document.problem !== null)
      process.stderr.write(`${document.problem.detail}\n${document.problem.advice}\n`);
    if (document.state === 'finished') return 0;
    return document.state === 'refused' ? 2 : 1;
  });
}

async function follow(api: ApiClient, request: LabRequest): Promise<{ id: string; text: string }> {
  const { id } = await api.createLab(request);
  const cancel = () => void api.cancelLab(id, true);
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    for await (const event of api.labEvents(id)) printLabEvent(event, process.stderr);
    return { id, text: await api.readLabDocument(id) };
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}
