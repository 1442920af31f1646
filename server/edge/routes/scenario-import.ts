import type { Request, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { importApart } from '../../intake/import/apart/import-apart.ts';
import { harLimitBytes } from '../../intake/import/har/har-limit.ts';
import { serveRaw } from './endpoint.ts';

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
