import type { Router } from 'express';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandTeam } from './session.ts';

/** The people who may sign in. */
export function users(router: Router, { team }: AppParts): void {
  serve(router, 'listUsers', () => demandTeam(team).users.list());
  serve(router, 'createUser', async ({ body }, response) => {
    const user = await demandTeam(team).users.create(body);
    tellAudit(response, { subject: user.email, note: `as ${user.role}` });
    return user;
  });
  serve(router, 'changeUser', async ({ params: { id }, body: { role } }, response) => {
    const user = await demandTeam(team).users.changeRole(id, role);
    tellAudit(response, { subject: user.email, note: `to ${user.role}` });
    return user;
  });
  serve(router, 'resetPassword', async ({ params: { id } }, response) => {
    const user = await demandTeam(team).users.resetPassword(id);
    tellAudit(response, { subject: user.email });
    return user;
  });
  serve(router, 'deleteUser', async ({ params: { id } }, response) => {
    const { users: all } = demandTeam(team);
    const user = (await all.list()).find((each) => each.id === id);
    await all.remove(id);
    tellAudit(response, { subject: user?.email ?? id });
    return null;
  });
}
