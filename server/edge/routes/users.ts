import type { Router } from 'express';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { demandActor, demandTeam } from './session.ts';

/** The people who may sign in, and their API keys. */
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
