import type { Response } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { Database } from '../../life/database/open-database.ts';
import { findStarter } from '../../life/database/starters.ts';
import { actorOf } from '../middleware/actor.ts';

/** Admins may cancel every measurement, others what they have started. Throws not_yours. */
export async function demandOwn(database: Database, id: string, response: Response): Promise<void> {
  const actor = actorOf(response);
  if (actor === null || actor.role === 'admin') return;
  if ((await findStarter(database, id)) !== actor.id)
    throw problem('not_yours', `${actor.name} did not start it. Canceling it needs the role admin.`);
}
