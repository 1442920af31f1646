import { createHash, randomBytes } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { keyPattern, keyPrefix } from '../../../shared/team/api-key.ts';
import type { Actor } from '../../../shared/team/identity.ts';
import { lowerRole, reaches } from '../../../shared/team/role.ts';
import {
  type FoundKey,
  findKey,
  listKeys,
  type NewKeyRow,
  noteKeyUse,
  removeKey,
  storeKey,
} from '../../life/database/api-keys.ts';
import type { Database } from '../../life/database/open-database.ts';
import { listUsers } from '../../life/database/users.ts';
import { newPermalinkId } from '../../life/measurement/create/permalink-id.ts';
import type { Keys } from './team.ts';

const dayMs = 24 * 3_600_000;

/** "Last used" is written this often at most, so that reading with a key does not become writing. */
const useMs = 60_000;

/** A key has 256 random bits, so that a plain hash of it cannot be guessed and needs no salt. */
export function openKeys(database: Database): Keys {
  return {
    list: (actor) => listKeys(database, actor.role === 'admin' ? null : actor.id),

    async create({ name, role: asked, days, user: email }, actor) {
      if (actor.key !== null)
        throw problem(
          'key_needs_person',
          'An API key cannot create other keys, because they would outlive it.',
        );
      const user = email === undefined ? actor : await userOf(email, actor);
      if (user.id === null)
        throw problem('invalid_request', 'Name the user that the key acts for, in the field user.');
      const role = asked ?? lowerRole('operator', user.role);
      if (!reaches(user.role, role)) {
        const fact = `${nameOf(user)} has the role ${user.role}, and a key cannot have a higher one.`;
        throw problem('role_too_low', fact);
      }
      const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`;
      const now = Date.now();
      const expiresAt = days === null ? null : now + days * dayMs;
      const stored = { id: newPermalinkId(), name, role, createdAt: now, expiresAt };
      const row: NewKeyRow = { ...stored, userId: user.id, hash: hashOf(key) };
      await storeKey(database, row);
      return { ...stored, user: nameOf(user), usedAt: null, key };
    },

    remove: (id, actor) => removeKey(database, id, actor.role === 'admin' ? null : actor.id, Date.now()),

    async identify(key) {
      if (!keyPattern.test(key)) throw wrong('It is incomplete: a key is tt_ and 43 more characters.');
      const found = await findKey(database, hashOf(key));
      const now = Date.now();
      const { user, name, role } = demandGood(found, now);
      if (found !== null && (found.usedAt === null || found.usedAt < now - useMs))
        await noteKeyUse(database, found.id, now);
      return { id: user.id, name: user.email, role: lowerRole(role, user.role), key: name };
    },
  };

  async function userOf(email: string, actor: Actor) {
    if (actor.id !== null && email !== actor.name)
      throw problem(
        'role_too_low',
        'To create a key for somebody else, use the command line on the server’s machine.',
      );
    const user = (await listUsers(database)).find((each) => each.email === email);
    if (user === undefined) throw problem('user_not_found', `${email} is not a user of this server.`);
    return user;
  }
}

const nameOf = (user: { email: string } | { name: string }) => ('email' in user ? user.email : user.name);

/** Throws key_refused, which names the cause and never the key. */
function demandGood(found: FoundKey | null, now: number): FoundKey & { user: NonNullable<FoundKey['user']> } {
  if (found === null) throw wrong('It was not created on this server.');
  const { name, user, expiresAt, removedAt } = found;
  if (removedAt !== null) throw wrong(`“${name}” was deleted on ${dayOf(removedAt)}.`);
  if (user === null) throw wrong(`The user of “${name}” was removed.`);
  if (expiresAt !== null && expiresAt <= now) throw wrong(`“${name}” expired on ${dayOf(expiresAt)}.`);
  return { ...found, user };
}

function wrong(cause: string) {
  return problem('key_refused', `The API key was refused. ${cause}`);
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
