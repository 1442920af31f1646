/** Protects what people see by their role: the controls that the server would let them use, and no others. */
import { expect, test } from 'vitest';
import type { Access, Role } from '../../shared/team/role.ts';
import type { Identity } from '../../shared/team/team.ts';
import { mayAccess } from './identity.ts';

const as = (role: Role | null, linksOpen = true): Identity => ({
  actor: role && { id: 'A'.repeat(22), name: `${role}@example.com`, role, key: null },
  linksOpen,
  ways: { provider: null },
});

const rows: [Identity, Access[]][] = [
  [as(null), ['anyone', 'link']],
  [as(null, false), ['anyone']],
  [as('reader', false), ['anyone', 'link', 'reader']],
  [as('operator'), ['anyone', 'link', 'reader', 'operator']],
  [as('admin'), ['anyone', 'link', 'reader', 'operator', 'admin']],
];

test.each(rows)('%j may %j', (identity, expected) => {
  const all: Access[] = ['anyone', 'link', 'reader', 'operator', 'admin'];
  expect(all.filter((access) => mayAccess(identity, access))).toEqual(expected);
});
