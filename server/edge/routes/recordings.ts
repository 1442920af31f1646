import type { Router } from 'express';
import type { TargetAction } from '../../../shared/target/permitted-target.ts';
import type { Asker } from '../../../shared/team/audit.ts';
import { holderOf, whoAsks } from '../middleware/actor.ts';
import { noteCall } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

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
