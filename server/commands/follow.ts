import type { Labels } from '../../shared/runner.ts';
import { printLabels } from '../../shared/runner-labels.ts';
import type { ApiClient } from './api-client.ts';
import { eventPrinter, type Printer } from './print-event.ts';

/** Until the end, however it comes, and resolves to its document. A signal cancels, and what was measured is kept. */
export async function follow(
  api: ApiClient,
  id: string,
  url: string,
  stream: Printer = process.stderr,
): Promise<string> {
  const cancel = () => void api.cancel(id, true).catch(() => {});
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    const { stranded } = await api.runners();
    const waiting = stranded.find((each) => each.id === id);
    if (waiting !== undefined) stream.write(describeWait(waiting.labels));
    const print = eventPrinter(stream);
    for await (const event of api.events(id)) print(event);
    return await api.readDocument(url);
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

function describeWait(labels: Labels): string {
  const wanted = printLabels(labels);
  return `Waiting for a runner${wanted === '' ? '' : ` with ${wanted}`}: none is connected. Stop waiting with Ctrl-C.\n`;
}
