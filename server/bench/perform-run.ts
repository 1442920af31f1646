import type { z } from 'zod';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { type RunDocument, runDocumentSchema } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import type { CreatedMeasurement } from '../../shared/measurement/measurement.ts';
import type { MeasurementEvent } from '../../shared/results/kinds.ts';
import { connectTo } from '../edge/commands/api-client.ts';

type Watch = {
  /** Called and awaited before the first event is read. */
  onCreated?: (created: CreatedMeasurement) => Promise<void>;
  onEvent?: (event: MeasurementEvent) => void;
  /** Cancels it, and rejects. */
  signal?: AbortSignal;
};

/** One run through the API, watched to its end. */
export function performRun(url: string, request: RunRequestInput, watch?: Watch): Promise<RunDocument> {
  return performDocument(url, { ...request, kind: 'comparison' }, runDocumentSchema, watch);
}

/** The document of a measurement of any kind. */
export async function performDocument<Document>(
  url: string,
  request: { kind: KindName } & Record<string, unknown>,
  schema: z.ZodType<Document>,
  watch?: Watch,
): Promise<Document> {
  const created = await performMeasurement(url, request, watch);
  return schema.parse(JSON.parse(await connectTo({ url, key: null }).readDocument(created.url)));
}

/** The same of any kind. */
export async function performMeasurement(
  url: string,
  request: { kind: KindName } & Record<string, unknown>,
  { onCreated = async () => {}, onEvent = () => {}, signal }: Watch = {},
): Promise<CreatedMeasurement> {
  const api = connectTo({ url, key: null });
  const created = await api.call(measurementEndpoints.createMeasurement, { body: request });
  // One that has just ended can't be canceled, which is what is wanted.
  const cancel = () =>
    void api
      .call(measurementEndpoints.cancelMeasurement, { params: { id: created.id }, body: { keep: false } })
      .catch(() => {});
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    await onCreated(created);
    for await (const event of api.events(created.id)) onEvent(event);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
  signal?.throwIfAborted();
  return created;
}
