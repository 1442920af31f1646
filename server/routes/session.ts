import type { Response, Router } from 'express';
import { apiPrefix } from '../../shared/api/endpoint.ts';
import { endpoints } from '../../shared/api.ts';
import { problem } from '../../shared/problem.ts';
import { actorOf, identityOf } from '../middleware/actor.ts';
import { limitSignIns } from '../middleware/sign-in-limit.ts';
import type { Team } from '../team/team.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveRaw } from './endpoint.ts';

/** Signing in and out. */
export function session(router: Router, { team }: AppParts): void {
  serve(router, 'showSession', (_call, response) => identityOf(response) ?? withoutSignIn(response));

  const { path } = endpoints.signIn;
  router.post(path, ...limitSignIns());
  serve(router, 'signIn', async ({ body }, response) => {
    const { linksOpen, signIn } = demandTeam(team);
    const { actor, cookies } = await signIn(body);
    response.append('Set-Cookie', cookies);
    return { actor, linksOpen };
  });

  serveRaw(router, 'signOut', async (_call, request, response) => {
    response.append('Set-Cookie', await demandTeam(team).signOut(request.headers));
    response.status(endpoints.signOut.status).set('Cache-Control', 'no-store').end();
  });

  router.put(
    endpoints.changePassword.path,
    ...limitSignIns((_request, response) => actorOf(response)?.id ?? ''),
  );
  serveRaw(router, 'changePassword', async ({ body }, request, response) => {
    const { changePassword } = demandTeam(team);
    const { id = null, key = null } = actorOf(response) ?? {};
    if (id === null || key !== null) throw problem('wrong_password', 'A key has no password.');
    response.append('Set-Cookie', await changePassword(request.headers, body));
    response.status(endpoints.changePassword.status).set('Cache-Control', 'no-store').end();
  });
}

/** Throws sign_in_off. */
export function demandTeam(team: Team | null): Team {
  if (team === null)
    throw problem('sign_in_off', `Nobody needs to sign in here, so ${apiPrefix} has no users.`);
  return team;
}

function withoutSignIn(response: Response) {
  return { actor: actorOf(response), linksOpen: true };
}
