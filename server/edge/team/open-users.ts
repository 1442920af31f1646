import { randomInt } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import type { Database } from '../../life/database/open-database.ts';
import { listUsers, removeUser, storePassword, storeRole, storeUser } from '../../life/database/users.ts';
import { newPermalinkId } from '../../life/measurement/create/permalink-id.ts';
import type { Users } from './team.ts';

export function openUsers(database: Database): Users {
  return {
    list: () => listUsers(database),
    async create({ email, role, password: wanted }) {
      const user = { id: newPermalinkId(), email, role, createdAt: Date.now() };
      const password = wanted ? makePassword() : null;
      await storeUser(database, user, password === null ? null : await hashPassword(password));
      return { ...user, password };
    },
    changeRole: (id, role) => storeRole(database, id, role),
    async resetPassword(id) {
      const password = makePassword();
      const user = await storePassword(database, id, await hashPassword(password), Date.now());
      return { ...user, password };
    },
    async remove(id) {
      await removeUser(database, id);
    },
  };
}

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const groups = 5;
const groupLength = 4;

/** 100 random bits that can be read out over the phone, such as `k7qm-2xwd-…`. */
function makePassword(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
