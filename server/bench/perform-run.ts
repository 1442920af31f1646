import { type RunDocument, runDocumentSchema } from '../../shared/run.ts';
import type { RunRequestInput } from '../../shared/run-request.ts';
import { connectTo } from '../commands/api-client.ts';

/** One run through the API, watched to its end. `onBlock` is called at each block. */
export async function performRun(
  url: string,
  request: RunRequestInput,
  onBlock = () => {},
): Promise<RunDocument> {
  const api = connectTo({ url, key: null });
  const created = await api.create({ ...request, kind: 'comparison' });
  for await (const event of api.events(created.id)) if (event.type === 'block') onBlock();
  return runDocumentSchema.parse(JSON.parse(await api.readDocument(created.url)));
}
