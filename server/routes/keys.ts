import type { Response, Router } from 'express';
import type { Actor } from '../../shared/identity.ts';
import { problem } from '../../shared/problem.ts';
import { actorOf } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandTeam } from './session.ts';

/** API keys of the people who may sign in. */
export function keys(router: Router, { team }: AppParts): void {
  serve(router, 'listKeys', (_call, response) => demandTeam(team).keys.list(demandActor(response)));
  serve(router, 'createKey', async ({ body }, response) => {
    const made = await demandTeam(team).keys.create(body, demandActor(response));
    tellAudit(response, { note: `${made.name}, for ${made.user} as ${made.role}` });
    return made;
  });
  serve(router, 'deleteKey', async ({ params: { id } }, response) => {
    await demandTeam(team).keys.remove(id, demandActor(response));
    return null;
  });
}

/** Throws sign_in_required, for what the table of endpoints lets nobody else call. */
function demandActor(response: Response): Actor {
  const actor = actorOf(response);
  if (actor === null) throw problem('sign_in_required', 'Only people who are signed in may do this.');
  return actor;
}
