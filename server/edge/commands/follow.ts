import { setTimeout as pause } from 'node:timers/promises';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { serverEndpoints } from '../../../shared/api/server-endpoints.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { ApiClient } from './api-client.ts';
import { eventPrinter, type Printer } from './print-event.ts';

/** Until the end, however it comes, and resolves to its document. A signal cancels, and what was measured is kept. */
export async function follow(
  api: ApiClient,
  id: string,
  url: string,
  stream: Printer = process.stderr,
): Promise<string> {
  const cancel = () =>
    void api
      .call(measurementEndpoints.cancelMeasurement, { params: { id }, body: { keep: true } })
      .catch(() => {});
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  const waiting = new AbortController();
  const explaining = explainWait(api, id, stream, waiting.signal);
  try {
    const print = eventPrinter(stream);
    for await (const event of api.events(id)) {
      if (event.type !== 'state' || event.state !== 'queued') waiting.abort();
      print(event);
    }
    return await api.readDocument(url);
  } finally {
    waiting.abort();
    await explaining;
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

const lookMs = 2_000;

/** Says once that no runner can take it, as soon as that is so. A server that does not answer is a matter of the events. */
async function explainWait(api: ApiClient, id: string, stream: Printer, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const { runners, stranded } = await api.call(serverEndpoints.listRunners);
      const labels = stranded.find((each) => each.id === id)?.labels;
      if (runners === null || signal.aborted) return;
      if (labels !== undefined) {
        const wanted = printLabels(labels);
        const runner = wanted === '' ? 'a runner' : `a runner with ${wanted}`;
        stream.write(`Waiting for ${runner}: none is connected. Stop waiting with Ctrl-C.\n`);
        return;
      }
      await pause(lookMs, undefined, { signal });
    }
  } catch {}
}
