import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function recordings(router: Router, { recordings, permits }: AppParts): void {
  serve(router, 'createRecording', async ({ body }, response) => {
    const created = await recordings.create(body);
    await permits.note(whoAsks(response), 'recorded', [body.url], null);
    response.location(created.url);
    return created;
  });

  serve(router, 'createReplay', ({ body }) => recordings.replay(body));

  serve(router, 'recordingTicket', ({ params: { sid } }) => recordings.ticket(sid));

  serve(router, 'finishRecording', ({ params: { sid }, body }) => recordings.finish(sid, body));
}
