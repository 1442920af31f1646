import type { Response, Router } from 'express';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { apiPrefix } from '../../../shared/api/prefix.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { Actor } from '../../../shared/team/identity.ts';
import { actorOf, identityOf } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import { limitSignIns } from '../middleware/sign-in-limit.ts';
import type { Team } from '../team/team.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Signing in and out, and the password. */
export function session(router: Router, { team }: AppParts): void {
  serve(router, 'showSession', (_call, response) => identityOf(response) ?? withoutSignIn(response));

  const { path } = endpoints.signIn;
  router.post(path, ...limitSignIns());
  serve(router, 'signIn', async ({ body }, response) => {
    const { linksOpen, ways, signIn } = demandTeam(team);
    const { actor, cookies } = await signIn(body);
    response.append('Set-Cookie', cookies);
    tellAudit(response, { actor });
    return { actor, linksOpen, ways };
  });

  serve(router, 'signOut', async (_call, response) => {
    response.append('Set-Cookie', await demandTeam(team).signOut(response.req.headers));
    return null;
  });

  serve(router, 'showAccount', (_call, response) => demandTeam(team).account(demandActor(response)));

  router.put(
    endpoints.changePassword.path,
    ...limitSignIns((_request, response) => actorOf(response)?.id ?? ''),
  );
  serve(router, 'changePassword', async ({ body }, response) => {
    const { changePassword } = demandTeam(team);
    const { id = null, key = null } = actorOf(response) ?? {};
    if (id === null || key !== null) throw problem('wrong_password', 'An API key has no password to change.');
    response.append('Set-Cookie', await changePassword(response.req.headers, body));
    return null;
  });
}

/** Throws sign_in_off. */
export function demandTeam(team: Team | null): Team {
  if (team === null)
    throw problem('sign_in_off', `Nobody needs to sign in here, so ${apiPrefix} has no users.`);
  return team;
}

/** Throws sign_in_required, for what the table of endpoints lets nobody else call. */
export function demandActor(response: Response): Actor {
  const actor = actorOf(response);
  if (actor === null) throw problem('sign_in_required', 'Only people who are signed in may do this.');
  return actor;
}

function withoutSignIn(response: Response) {
  return { actor: actorOf(response), linksOpen: true, ways: { provider: null } };
}
