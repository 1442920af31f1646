import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { printSignInProblem, problemOf } from '../../../shared/team/sign-in-problem.ts';
import { noteCall, tellAudit } from '../middleware/audit.ts';
import type { ProviderSignIn, Team } from '../team/team.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveRaw } from './endpoint.ts';
import { demandTeam } from './session.ts';

/** Signing in with an identity provider: there, and back. */
export function providerSignIn(router: Router, { team, logger }: AppParts): void {
  serve(router, 'startProviderSignIn', async ({ body: { returnTo } }, response) => {
    const { url, cookies } = await demandProvider(team).begin(returnTo, response.req.headers.origin);
    response.append('Set-Cookie', cookies);
    return { url };
  });

  serveRaw(router, 'finishProviderSignIn', async (call, request, response) => {
    const query = new URL(`http://server${request.originalUrl}`).searchParams;
    const end = await demandProvider(team).finish(query, request.headers);
    response.append('Set-Cookie', end.cookies).set('Cache-Control', 'no-store');
    if (end.actor === null) {
      const code = problemOf(end.problem.problem.code);
      if (code === null) throw end.problem;
      // Strangers may knock often; a provider that cannot be used is for the operator to mend.
      logger[code === 'provider_unusable' ? 'warn' : 'info'](end.problem, 'no sign-in');
      return response.redirect(303, printSignInProblem(end.returnTo, code));
    }
    tellAudit(response, { actor: end.actor });
    await noteCall(response, 'finishProviderSignIn', call, null);
    response.redirect(303, end.returnTo);
  });
}

/** Throws sign_in_off, not_found. */
function demandProvider(team: Team | null): ProviderSignIn {
  const { provider } = demandTeam(team);
  if (provider === null) throw problem('not_found', 'This server has no identity provider to sign in with.');
  return provider;
}
