import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function recordings(router: Router, { recordings, permits }: AppParts): void {
  serve(router, 'createRecording', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'recorded', [body.url], null);
    const created = await recordings.create(body);
    response.location(created.url);
    return created;
  });

  serve(router, 'createReplay', async ({ body }, response) => {
    const addresses = body.actions.flatMap((action) => (action.type === 'goto' ? [action.url] : []));
    const at = body.at === undefined ? [] : [body.at];
    await permits.note(whoAsks(response), 'replayed', [...at, ...addresses], null);
    return recordings.replay(body);
  });

  serve(router, 'recordingTicket', ({ params: { sid } }) => recordings.ticket(sid));

  serve(router, 'finishRecording', ({ params: { sid }, body }) => recordings.finish(sid, body));
}
