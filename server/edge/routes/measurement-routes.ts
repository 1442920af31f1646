import { once } from 'node:events';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import type { Explanation, Predicted } from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { ownTitle } from '../../../shared/measurement/annotation.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { type Digest, withTitle } from '../../../shared/words/digest.ts';
import { explainRequestOf, explanationOf, predictCost } from '../../kinds/comparison/run-explanation.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import { findStarter } from '../../life/database/insert-measurement.ts';
import type { Database } from '../../life/database/open-database.ts';
import type { Measurements } from '../../life/measurement/asked-measurements.ts';
import type { Said } from '../../life/measurement/summaries.ts';
import { actorNow, actorOf, endUnlessAllowed, tellAudit, whoAsks } from './actor.ts';
import { outcomeIn } from './client.ts';
import { sendDocument } from './document-answers.ts';
import { type AppParts, serve, serveRaw } from './endpoint.ts';
import { readCell } from './recorder-socket.ts';

/** Measurements of every kind: made, listed, compared, asked, watched, canceled, and deleted. */
export function measurements(
  router: Router,
  { measurements: all, results, database, history, team }: AppParts,
): void {
  serve(router, 'createMeasurement', async ({ body, headers }, response) => {
    const { kind } = body;
    const by = whoAsks(response);
    const created = await all.create(kind, body, headers['idempotency-key'] ?? null, { by });
    tellAudit(response, { note: kind });
    response.location(created.url);
    return created;
  });

  serve(router, 'resumeMeasurement', ({ params: { id } }, response) => all.resume(id, whoAsks(response)));
  serve(router, 'restoreMeasurement', ({ params: { id }, headers }) =>
    all.restore(id, headers['x-delete-token']),
  );

  serveRaw(router, 'showPage', async ({ params: { id } }, _request, response) => {
    await sendDocument(response, id, await results.readShown(id));
  });
  serve(router, 'showAnnotation', ({ params: { id } }) => results.annotation(id));
  serve(router, 'changeAnnotation', ({ params: { id }, body }) => all.annotate(id, body));
  serve(router, 'listChoices', () => all.choices());

  serve(router, 'showCell', async ({ params: { id, cell } }) => (await readCell(all, id, cell)).document);

  serve(router, 'showChanges', async ({ params: { pair } }) => (await all.changes(pair)).changes);
  serve(router, 'sql', ({ body }) => history.ask(body));

  serve(router, 'listMeasurements', async ({ query: { kind, ...query } }) => {
    const { summaries, nextCursor } = await all.list({ ...query, kinds: kind === undefined ? null : [kind] });
    return { measurements: summaries, nextCursor };
  });

  serveRaw(router, 'showMeasurement', async ({ params: { id } }, _request, response) => {
    await sendDocument(response, id, await results.readDocument(id));
  });
  serveRaw(router, 'measurementEvents', ({ params: { id } }, request, response) =>
    streamEvents(request, response, {
      ...{ id, afterId: lastEventId(request), measurements: { ...all, events: results.events } },
      mayGoOn: team === null || team.linksOpen ? null : async () => (await actorNow(team, request)) !== null,
    }),
  );
  serve(router, 'cancelMeasurement', async ({ params: { id }, body: { keep } }, response) => {
    await demandOwn(database, id, response);
    return all.cancel(id, keep);
  });
  serve(router, 'deleteMeasurement', async ({ params: { id }, query, headers }) => {
    const act = query.permanent === true ? all.remove : all.bin;
    await act(id, headers['x-delete-token']);
    return null;
  });
}

/** Admins may cancel every measurement, others what they have started. Throws not_yours. */
async function demandOwn(database: Database, id: string, response: Response): Promise<void> {
  const actor = actorOf(response);
  if (actor === null || actor.role === 'admin') return;
  if ((await findStarter(database, id)) !== actor.id)
    throw problem('not_yours', `${actor.name} did not start it. Canceling it needs the role admin.`);
}

type Stream = {
  id: string;
  /** ID of the last event that the viewer has; 0 is the beginning. */
  afterId: number;
  measurements: Pick<Measurements, 'mirror' | 'follow' | 'events'>;
  /** Whether who opened it may still read it; null where everybody may. */
  mayGoOn: (() => Promise<boolean>) | null;
};

const reconnect = 'retry: 2000\n\n';
const keepAliveMs = 10_000;
/** Characters per write. A viewer that reads slowly makes the server keep this much in memory. */
const pieceLength = 16_384;

/**
 * Progress as server-sent events (WHATWG HTML, 9.2). Reconnecting with Last-Event-ID replays what was missed;
 * `?lastEventId=` does the same for those who cannot set headers. The stream closes after `end`; whoever has had it is
 * answered 204, on which an EventSource stops asking. The texts go out as the log holds them: a thousand viewers cost a
 * thousand writes, and nothing is read or printed again for each.
 */
async function streamEvents(
  request: Request,
  response: Response,
  { id, afterId, measurements, mayGoOn }: Stream,
): Promise<void> {
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return void response.type('text/event-stream').end();
  await measurements.mirror(id);
  const pieces = openPieces(response);
  const unfollow = measurements.follow(id, afterId, {
    onEvent: (event) => pieces.add(printServerSentEvent(event)),
    onEnd: () => pieces.end(),
  });
  if (unfollow === null) return replay(response, await measurements.events(id, afterId));
  begin(response);
  pieces.add(reconnect);
  const keepAlive = setInterval(() => response.write(':\n\n'), keepAliveMs);
  const stopAsking = mayGoOn === null ? () => {} : endUnlessAllowed(mayGoOn, () => response.destroy());
  response.once('close', () => {
    clearInterval(keepAlive);
    stopAsking();
    unfollow();
  });
}

function replay(response: Response, events: readonly ToldEvent[]): void {
  if (events.length === 0) return void response.status(204).end();
  begin(response);
  response.end(reconnect + events.map(printServerSentEvent).join(''));
}

function begin(response: Response): void {
  response.status(200).set('Content-Type', 'text/event-stream; charset=utf-8');
}

/** Frames that come together are written together: a log of hundreds of events is a few writes. */
function openPieces(response: Response) {
  let piece = '';

  function write(): void {
    if (piece !== '') response.write(piece);
    piece = '';
  }

  return {
    /** A promise where the viewer reads more slowly than it is told. */
    add(frame: string): Promise<void> | undefined {
      if (piece === '') queueMicrotask(write);
      piece += frame;
      if (piece.length >= pieceLength) write();
      if (!response.writableNeedDrain) return undefined;
      return Promise.race([once(response, 'drain'), once(response, 'close')]).then(() => {});
    },
    end(): void {
      write();
      response.end();
    },
  };
}

/** JSON holds no line break of its own. */
function printServerSentEvent({ id, type, text }: ToldEvent): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${text}\n\n`;
}

const idSchema = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/, 'the id of an event is a whole number')
    .transform(Number)
    .default(0),
});

/** Last-Event-ID from the header or from the query. Throws invalid_request. */
function lastEventId(request: Request): number {
  const header = request.get('Last-Event-ID');
  const parsed = idSchema.safeParse({
    lastEventId: header === undefined || header === '' ? request.query.lastEventId : header,
  });
  if (!parsed.success) throw problemOfIssues('invalid_request', parsed.error, 'Where to go on from');
  return parsed.data.lastEventId;
}

/** Breaks down the CPU of a run, with a measurement of the kind explain that is made for it. */
export function explanation(router: Router, parts: AppParts): void {
  const { measurements } = parts;
  serve(router, 'explainRun', async ({ params: { id } }, response) => {
    const run = await finished<RunDocument>(parts, id, 'comparison');
    // If several machines measure, use the one that measured the run.
    const { runner } = run.environment;
    const asked = { ...explainRequestOf(run), ...(runner === undefined ? {} : { labels: runner.labels }) };
    const created = await measurements.create('explain', asked, null, { by: whoAsks(response) });
    response.location(created.url);
    return created;
  });

  serve(router, 'showExplanation', async ({ params: { id }, query }) => {
    return (await readExplanation(parts, id, query.explain)).explanation;
  });
}

/** The explanation that the page of a run shows. Throws not_explainable. */
export async function readExplanation(
  parts: AppParts,
  runId: string,
  explainId: string,
): Promise<{ explanation: Explanation; document: ExplainDocument }> {
  const run = await finished<RunDocument>(parts, runId, 'comparison');
  const document = await finished<ExplainDocument>(parts, explainId, 'explain');
  return { explanation: explanationOf(run, document, await predictFor(parts, run)), document };
}

/** Older ones are hardly of this machine as it is. */
const mostGrids = 5;

/** By the newest measurement of handshakes that has what the run negotiated. */
async function predictFor({ measurements }: AppParts, run: RunDocument): Promise<Predicted | null> {
  const { summaries } = await measurements.list({
    kinds: ['handshakes'],
    state: 'finished',
    limit: mostGrids,
  });
  for (const { id } of summaries) {
    const { document } = await measurements.document(id);
    const predicted = predictCost(run, document as HandshakesDocument);
    if (predicted !== null) return predicted;
  }
  return null;
}

async function finished<Document>(
  { measurements }: AppParts,
  id: string,
  wanted: 'comparison' | 'explain',
): Promise<Document> {
  const { kind, document, final } = await measurements.document(id);
  if (!final) throw problem('not_explainable', 'The run has not ended yet.');
  if (kind !== wanted) throw problem('not_explainable', `That run is of the kind ${kind}.`);
  return document as Document;
}

/** Digest of any result, with the title that somebody gave it: the top of a run's page, or what a result of another kind found. */
export function digestOfResult(result: Said, summary: MeasurementSummary): Digest {
  const digest = result.digest() ?? digestOfLine(result, summary);
  return withTitle(digest, ownTitle(summary));
}

function digestOfLine({ caption, headline }: Said, summary: MeasurementSummary): Digest {
  const { generatedTitle: title, state, createdAt } = summary;
  const found = state === 'finished' ? headline() : null;
  return {
    headline: found ?? { title, second: '' },
    evidence: null,
    outcome: outcomeIn(summary),
    compared: null,
    setting: found === null ? `${caption}, ${state}` : title,
    measuredAt: createdAt,
  };
}

/** Origin under which the reader addressed this server, for absolute links. The host has been checked before. */
export function originOf(request: Request): string {
  return `${request.protocol}://${request.get('Host') ?? ''}`;
}
