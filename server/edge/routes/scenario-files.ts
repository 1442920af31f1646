import type { Request, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { isDoneByHand } from '../../../shared/scenario/browser-actions.ts';
import { actionProblems, exportProblems } from '../../../shared/scenario/export-problems.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import type { ExportFormat, StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import type { TargetAction } from '../../../shared/target/target.ts';
import type { Asker } from '../../../shared/team/team.ts';
import { writeCurl } from '../../intake/export/exported-curl.ts';
import { moveActions, writeScenario, writeScenarioHar } from '../../intake/export/exported-har.ts';
import { writeK6Script, writePlaywrightRequests } from '../../intake/export/exported-requests.ts';
import { writePlaywrightTest } from '../../intake/export/exported-test.ts';
import { importApart } from '../../intake/import/apart/import-apart.ts';
import { harLimitBytes } from '../../intake/import/har.ts';
import { enabledSteps } from '../../intake/scenario/scenario-problems.ts';
import { holderOf, noteCall, whoAsks } from './actor.ts';
import { type AppParts, serve, serveRaw, type TextFile } from './endpoint.ts';

/** A host that cannot exist: whoever runs the export names the real one. */
const nowhere = 'http://target.invalid';

/** A scenario in another tool's language. @param origin where its requests go; left out: where it was recorded, or nowhere. Secrets stay names; steps that are switched off are in our own JSON only. */
export function exportScenario(
  stored: StoredScenario,
  format: ExportFormat,
  origin: string | undefined,
): TextFile {
  const host = origin?.replace(/\/+$/, '');
  const fileName = `${slug(stored.scenario.name)}${endings[format]}`;
  demandExportable(stored, format);
  const text = write(stored, format, host);
  return {
    text,
    fileName,
    mediaType: format === 'har' || format === 'json' ? 'application/json' : 'text/plain',
  };
}

/** Throws not_exportable: the script would check or take something else. */
function demandExportable({ scenario, actions }: StoredScenario, format: ExportFormat): void {
  const isTest = format === 'playwright' && isDoneByHand(actions);
  const problems = isTest ? actionProblems(actions) : exportProblems(scenario, format);
  if (problems.length > 0) throw problem('not_exportable', problems.join(' '));
}

function write(
  { scenario, actions, revision }: StoredScenario,
  format: ExportFormat,
  host: string | undefined,
): string {
  const sent = enabledSteps(scenario);
  const origin = host ?? nowhere;
  switch (format) {
    case 'playwright':
      return isDoneByHand(actions)
        ? writePlaywrightTest(scenario.name, host === undefined ? actions : moveActions(actions, host))
        : writePlaywrightRequests(sent, origin);
    case 'k6':
      return writeK6Script(sent, origin);
    case 'curl':
      return writeCurl(sent, origin);
    case 'har':
      return writeScenarioHar(scenario, origin, new Date(revision?.createdAt ?? 0).toISOString());
    case 'json':
      return writeScenario(scenario);
  }
}

const endings: Record<ExportFormat, string> = {
  playwright: '.spec.ts',
  k6: '.k6.js',
  curl: '.sh',
  har: '.har',
  json: '.json',
};

function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return plain === '' ? 'scenario' : plain;
}

/** The others wait for their turn meanwhile. */
const patienceMs = 120_000;

/** The one body that is no JSON and may be large. It is read as it comes, and nothing of it is kept. */
export function scenarioImport(router: Router): void {
  const takeTurn = openTurnstile();

  serveRaw(router, 'importScenario', async ({ query }, request, response) => {
    demandBytes(request);
    const { as: format, name, ...choices } = query;
    const facts = { name, format, choices: trafficChoicesSchema.parse(choices) };
    const report = await takeTurn(() => readWhole(request, (chunks) => importApart(chunks, facts)));
    response.status(200).set('Cache-Control', 'no-store').json(report);
  });
}

/** One at a time: each may take as much memory as a large HAR needs. */
function openTurnstile(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function demandBytes(request: Request): void {
  if (!request.is('application/octet-stream')) {
    throw problem('unsupported_media_type', {
      detail: `The file is sent as "${(request.headers['content-type'] ?? '').slice(0, 100)}".`,
      errors: [{ field: 'content-type', message: 'must be application/octet-stream' }],
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > harLimitBytes) {
    throw problem(
      'body_too_large',
      `The file is larger than ${harLimitBytes / 1024 / 1024} MiB, which is the most that is imported.`,
    );
  }
}

/** A client that still sends does not listen: what the reader leaves is read away before the answer. */
async function readWhole<Result>(
  request: Request,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const patience = setTimeout(() => request.destroy(), patienceMs);
  try {
    return await read(request.iterator({ destroyOnReturn: false }));
  } catch (error) {
    if (!request.destroyed) await readAway(request);
    if (!request.complete)
      throw problem('import_unreadable', 'The file did not arrive whole.', { cause: error });
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

async function readAway(request: Request): Promise<void> {
  let rest = 0;
  try {
    for await (const chunk of request) {
      rest += (chunk as Uint8Array).length;
      if (rest > harLimitBytes) return;
    }
  } catch {
    // The sender has gone, and gets no answer.
  }
}

export function recordings(router: Router, { recordings, permits, logger }: AppParts): void {
  /** Logs what somebody opens, and tells how to log the hosts that a page leads to from there. */
  async function note(by: Asker, what: TargetAction, addresses: readonly string[]) {
    await permits.note(by, what, addresses, null);
    const known = new Set(addresses.map((address) => URL.parse(address)?.hostname));
    return (origin: string) => {
      if (known.has(URL.parse(origin)?.hostname)) return;
      permits
        .note(by, what, [origin], 'Reached from a page')
        .catch((error: unknown) => logger.error(error, 'a host that a page reached was not logged'));
    };
  }

  serve(router, 'createRecording', async ({ body }, response) => {
    const onReached = await note(whoAsks(response), 'recorded', [body.url]);
    const created = await recordings.create(body, onReached, holderOf(response));
    response.location(created.url);
    return created;
  });

  serve(router, 'createReplay', async ({ body }, response) => {
    const addresses = body.actions.flatMap((action) => (action.type === 'goto' ? [action.url] : []));
    const at = body.at === undefined ? [] : [body.at];
    const onReached = await note(whoAsks(response), 'replayed', [...at, ...addresses]);
    return recordings.replay(body, onReached, holderOf(response));
  });

  serve(router, 'recordingTicket', async (call, response) => {
    const { ticket, tookOver } = recordings.ticket(call.params.sid, holderOf(response));
    if (tookOver) await noteCall(response, 'taken_over', call, {});
    return { ticket };
  });

  serve(router, 'openRecording', (_, response) => ({ open: recordings.open(holderOf(response)) }));

  serve(router, 'endRecording', async (_, response) => {
    await recordings.end(holderOf(response));
    return null;
  });

  serve(router, 'finishRecording', ({ params: { sid }, body }, response) =>
    recordings.finish(sid, body, holderOf(response)),
  );
}
