import type { Router } from 'express';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandActor, demandTeam } from './session.ts';

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
