import {
  type RunDocument,
  type RunRequestInput,
  runDocumentSchema,
  runRequestSchema,
} from '../../shared/run.ts';
import { connectTo } from '../commands/api-client.ts';

/** One run through the API, watched to its end. `onBlock` is called at each block. */
export async function performRun(
  url: string,
  request: RunRequestInput,
  onBlock = () => {},
): Promise<RunDocument> {
  const api = connectTo(url);
  const { id } = await api.createRun(runRequestSchema.parse(request));
  for await (const event of api.runEvents(id)) if (event.type === 'block') onBlock();
  return runDocumentSchema.parse(JSON.parse(await api.readDocument(id)));
}
