import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandTeam } from './session.ts';

/** The people who may sign in. */
export function users(router: Router, { team }: AppParts): void {
  serve(router, 'listUsers', () => demandTeam(team).users.list());
  serve(router, 'createUser', ({ body }) => demandTeam(team).users.create(body));
  serve(router, 'changeUser', ({ params: { id }, body: { role } }) =>
    demandTeam(team).users.changeRole(id, role),
  );
  serve(router, 'resetPassword', ({ params: { id } }) => demandTeam(team).users.resetPassword(id));
  serve(router, 'deleteUser', async ({ params: { id } }) => {
    await demandTeam(team).users.remove(id);
    return null;
  });
}
