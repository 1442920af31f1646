import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { Passkeys, Team } from '../team/team.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandActor, demandTeam } from './session.ts';

/** Passkeys of the people who sign in, and signing in with them. */
export function passkeys(router: Router, { team }: AppParts): void {
  serve(router, 'startPasskeySignIn', async (_call, response) => {
    const { options, cookies } = await demandPasskeys(team).begin(response.req.headers.origin);
    response.append('Set-Cookie', cookies);
    return options;
  });

  serve(router, 'signInWithPasskey', async ({ body }, response) => {
    const { linksOpen, ways } = demandTeam(team);
    const { actor, cookies } = await demandPasskeys(team).signIn(body, response.req.headers);
    response.append('Set-Cookie', cookies);
    tellAudit(response, { actor });
    return { actor, linksOpen, ways };
  });

  serve(router, 'showAccount', (_call, response) => demandTeam(team).account(demandActor(response)));

  serve(router, 'startPasskey', async (_call, response) => {
    const actor = demandActor(response);
    const { options, cookies } = await demandPasskeys(team).beginAdding(actor, response.req.headers.origin);
    response.append('Set-Cookie', cookies);
    return options;
  });

  serve(router, 'addPasskey', async ({ body }, response) => {
    const made = await demandPasskeys(team).add(demandActor(response), body, response.req.headers);
    tellAudit(response, { note: made.name });
    return made;
  });

  serve(router, 'removePasskey', async ({ params: { id } }, response) => {
    await demandPasskeys(team).remove(demandActor(response), id);
    return null;
  });
}

/** Throws sign_in_off, no_passkeys. */
function demandPasskeys(team: Team | null): Passkeys {
  const { passkeys } = demandTeam(team);
  if (passkeys === null)
    throw problem('no_passkeys', 'Browsers need a server with a name and HTTPS to use passkeys with it.');
  return passkeys;
}
