import { setTimeout as pause } from 'node:timers/promises';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { serverEndpoints } from '../../../shared/api/server-endpoints.ts';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { headlineInOneLine, type ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import { leftOutOf } from '../../../shared/words/causes.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';
import type { ApiClient } from './api-client.ts';

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

export type Printed<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentSchema' | 'report'
>;

/** `link` is null where it leads nowhere once the command has ended, `title` where nobody gave one. */
export type Format<Document> =
  | 'json'
  | 'markdown'
  | 'terminal'
  | ((document: Document, beside: { link: string | null; title: string | null }) => string);

/** Steps after a result has ended. */
export type Ending<Document> = {
  /** A report contains it, a document never does. */
  annotation: Annotation;
  /** Says the exit code of one that has finished. */
  judge: (document: Document) => Promise<number>;
  /** Says more of it on stderr, however it ended. */
  told: ((document: Document) => void) | null;
};

/** @param text the document as its permalink has it */
export function printResult<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  { text, document }: { text: string; document: Document },
  { link, annotation }: { link: string | null; annotation: Annotation },
): string {
  const prints = {
    json: () => `${text}\n`,
    markdown: () => printMarkdown(kind.report(document), annotation),
    terminal: () => printTerminal(kind.report(document)),
  };
  const print = typeof format === 'function' ? format : prints[format];
  return print(document, { link, title: annotation.title });
}

/** Stream that events are printed to. */
export type Printer = { readonly isTTY: boolean; write(text: string): unknown };

/** One line an event on a log, one line that overwrites itself on a terminal. */
export function eventPrinter(stream: Printer): (event: MeasurementEvent) => void {
  let counted = '';
  return (event) => {
    const parts = event.type === 'progress' ? keyOfProgress(event) : null;
    if (parts !== null && parts === counted && !stream.isTTY) return;
    counted = parts ?? counted;
    printEvent(event, stream);
  };
}

/** Identifies a progress line in a log: events come every second, but each phase and count is printed once. */
function keyOfProgress({ phase, counts: [widest] }: ProgressEvent): string {
  return `${phase} ${widest?.done ?? 0}`;
}

function printEvent(event: MeasurementEvent, stream: Printer): void {
  // A log has a line for each of the widest parts, and none for what is within it.
  const line = printEventLine(event, stream.isTTY ? undefined : 1);
  if (line === null) {
    if (stream.isTTY && event.type === 'end') stream.write('\r\u001b[K');
    return;
  }
  if (stream.isTTY) stream.write(`\r\u001b[K${line}${event.type === 'progress' ? '' : '\n'}`);
  else stream.write(`${line}\n`);
}

/** @param widest how many of the counts are printed, widest first; all without it */
export function printEventLine(event: MeasurementEvent, widest?: number): string | null {
  switch (event.type) {
    case 'state':
      return event.state === 'queued' ? `queued, place ${event.queuePosition ?? 1}` : event.state;
    case 'progress':
      return progressLine(event, widest);
    case 'measured':
      return event.headline === null ? event.state : headlineInOneLine(event.headline);
    case 'stalled':
      return `cannot store results yet: ${event.detail}`;
    case 'block':
      return event.reasons.length === 0
        ? null
        : `part ${event.index + 1} is discarded for ${leftOutOf(event.reasons)}: ${event.reasons.map(({ message }) => message).join(' ')}`;
    case 'errors':
      return event.groups.map((group) => `${group.name}: ${group.detail} (${group.count})`).join('; ');
    case 'visit':
      return event.failure === null ? null : `${event.cell} failed: ${event.failure}`;
    // Figures of a kind so far are for its page.
    default:
      return null;
  }
}

function progressLine(
  { phase, fraction, counts, secondsLeft, longerS }: ProgressEvent,
  widest?: number,
): string {
  const counted = counts
    .slice(0, widest)
    .map(({ of, done, planned }) => `${of} ${Math.min(done + 1, planned)} of ${planned}`);
  const times = [
    `${Math.round(fraction * 100)} %`,
    ...(secondsLeft === null ? [] : [`about ${Math.round(secondsLeft)} s left`]),
    ...(longerS === undefined ? [] : [`${Math.round(longerS)} s longer than planned`]),
  ];
  return `${phase}${isCounted(phase) ? `: ${counted.join(', ')}` : ''} (${times.join(', ')})`;
}

function isCounted(phase: string): boolean {
  return phase === 'measuring' || phase === 'waiting for generators';
}
