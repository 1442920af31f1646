import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { type RunDocument, runDocumentSchema } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import type { MeasurementEvent } from '../../shared/measurement/kinds.ts';
import { connectTo } from '../edge/commands/api-client.ts';

type Watch = {
  onEvent?: (event: MeasurementEvent) => void;
  /** Cancels the run, and rejects. */
  signal?: AbortSignal;
};

/** One run through the API, watched to its end. */
export async function performRun(
  url: string,
  request: RunRequestInput,
  { onEvent = () => {}, signal }: Watch = {},
): Promise<RunDocument> {
  const api = connectTo({ url, key: null });
  const created = await api.call(measurementEndpoints.createMeasurement, {
    body: { ...request, kind: 'comparison' },
  });
  // One that has just ended can't be canceled, which is what is wanted.
  const cancel = () =>
    void api
      .call(measurementEndpoints.cancelMeasurement, { params: { id: created.id }, body: { keep: false } })
      .catch(() => {});
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    for await (const event of api.events(created.id)) onEvent(event);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
  signal?.throwIfAborted();
  return runDocumentSchema.parse(JSON.parse(await api.readDocument(created.url)));
}
