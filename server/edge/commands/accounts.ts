import { keyEndpoints, teamEndpoints } from '../../../shared/api/session-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type Role, roles, roleWords } from '../../../shared/team/role.ts';
import {
  type ApiKey,
  type NewApiKey,
  type NewUser,
  newApiKeySchema,
  newUserSchema,
} from '../../../shared/team/team.ts';
import { alignColumns, printLines } from '../../base/text/terminal.ts';
import { readConfig } from '../settings/config.ts';
import type { KeysOfActor, Users } from '../team/team-keys.ts';
import { type ApiClient, connectTo, findDashboard } from './api-client.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { verb } from './verb.ts';

const keyOptions = verb('keys')
  .description(
    'Manages the API keys that CI jobs send instead of signing in: add, list and remove. A key acts for a user, is shown once, and stops working when the user is removed.',
  )
  .argument('<action>', 'add, list, remove')
  .argument('[name]', 'What will use the key (add), or the ID of a key (remove)')
  .option('--user <email>', 'User that the key acts for')
  .option(
    '--role <role>',
    `${roles.join(', ')}, up to that of the user (default: the same, operator at most)`,
  )
  .option('--days <n>', 'Days until the key expires (default: 90)', numberIn)
  .option('--no-expiry', 'Create a key that does not expire');

export async function keys(args: string[]): Promise<number> {
  const asked = parseKeys(args);
  process.stdout.write(await withTeam(({ keys: all }) => performOnKeys(asked, all)));
  return 0;
}

type KeyAsked = { act: 'list' } | { act: 'remove'; id: string } | { act: 'add'; key: NewApiKey };

/** Throws invalid_arguments. */
export function parseKeys(args: string[]): KeyAsked {
  const [act, name] = keyOptions.parse(args, { from: 'user' }).processedArgs;
  const { user, role, days, expiry } = keyOptions.opts();
  if (act === 'list') return { act };
  if (act === 'remove' && name !== undefined) return { act, id: name };
  if (act !== 'add' || name === undefined)
    throw problem('invalid_arguments', 'Write “keys add NAME”, “keys list” or “keys remove ID”.');
  const given = { user, role, days: expiry ? days : null };
  return { act, key: parsedBy(newApiKeySchema, { name, ...given }) };
}

async function performOnKeys(asked: KeyAsked, all: KeysOfActor): Promise<string> {
  switch (asked.act) {
    case 'list':
      return printKeys(await all.list());
    case 'remove':
      await all.remove(asked.id);
      return 'The key no longer works.\n';
    case 'add': {
      const { name, user, role, expiresAt, key } = await all.create(asked.key);
      const end = expiresAt === null ? 'does not expire' : `expires on ${printDay(expiresAt)}`;
      return `“${name}” acts for ${user} as ${role} and ${end}. The key is shown only once:\n${key}\n`;
    }
  }
}

function printKeys(all: readonly ApiKey[]): string {
  if (all.length === 0) return 'There are no API keys.\n';
  const head = ['ID', 'Name', 'User', 'Role', 'Expires', 'Last used'];
  const rows = all.map(({ id, name, user, role, expiresAt, usedAt }) => [
    ...[id, name, user, role],
    ...[expiresAt === null ? 'never' : printDay(expiresAt), usedAt === null ? 'never' : printDay(usedAt)],
  ]);
  return printLines(alignColumns([head, ...rows], 'l'));
}

function printDay(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10);
}

/** Lends users and API keys: the running server has the database; without one it is opened here. */
export async function withTeam<Result>(
  use: (team: { users: Users; keys: KeysOfActor }) => Promise<Result>,
): Promise<Result> {
  const running = await findDashboard();
  if (running !== null) return use(teamOver(connectTo(running)));
  const { dataDirectory: directory, databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { withTeamAlone } = await import('../team/team-alone.ts');
  return withTeamAlone({ directory, url }, use);
}

function teamOver(api: ApiClient): { users: Users; keys: KeysOfActor } {
  return {
    users: {
      list: () => api.call(teamEndpoints.listUsers),
      create: (body) => api.call(teamEndpoints.createUser, { body }),
      changeRole: (id, role) => api.call(teamEndpoints.changeUser, { params: { id }, body: { role } }),
      resetPassword: (id) => api.call(teamEndpoints.resetPassword, { params: { id } }),
      async remove(id) {
        await api.call(teamEndpoints.deleteUser, { params: { id } });
      },
    },
    keys: {
      list: () => api.call(keyEndpoints.listKeys),
      create: (body) => api.call(keyEndpoints.createKey, { body }),
      async remove(id) {
        await api.call(keyEndpoints.deleteKey, { params: { id } });
      },
    },
  };
}

const acts = ['add', 'list', 'role', 'password', 'remove'] as const;

type Act = (typeof acts)[number];

const userOptions = verb('users')
  .description(
    'Manages the people who may sign in to the server of this data directory, running or not: add, list, role (change it), password (make a new one) and remove. Passwords are made for you and shown once.',
  )
  .argument('<action>', acts.join(', '))
  .argument('[email]', 'Email address of the user')
  .option('--role <role>', `${roles.join(', ')} (default for add: reader)`)
  .option('--no-password', 'Add somebody who signs in with the identity provider only')
  .addHelpText(
    'after',
    () => `\nRoles:\n${roles.map((role) => `  ${role.padEnd(10)}${roleWords[role]}`).join('\n')}`,
  );

export async function users(args: string[]): Promise<number> {
  const asked = parseUsers(args);
  process.stdout.write(await withTeam(({ users: all }) => performOnUsers(asked, all)));
  return 0;
}

type UserAsked = { act: 'list' } | { act: Exclude<Act, 'list'>; user: NewUser; role: Role | null };

/** Throws invalid_arguments. */
export function parseUsers(args: string[]): UserAsked {
  const [name, email] = userOptions.parse(args, { from: 'user' }).processedArgs;
  const act = acts.find((known) => known === name);
  if (act === undefined) {
    throw problem('invalid_arguments', `"${name}" is not an action. Use ${acts.join(', ')}.`);
  }
  if (act === 'list') return { act };
  const { role, password } = userOptions.opts();
  if (act === 'role' && role === undefined)
    throw problem('invalid_arguments', `Name the new role: --role ${roles.join(', ')}.`);
  if (act !== 'add' && !password) throw problem('invalid_arguments', '--no-password belongs to add.');
  const user = parsedBy(newUserSchema, { email: email ?? '', password, role });
  return { act, user, role: role === undefined ? null : user.role };
}

async function performOnUsers(asked: UserAsked, all: Users): Promise<string> {
  if (asked.act === 'list') {
    const found = await all.list();
    return found.map(({ email, role }) => `${role.padEnd(10)}${email}\n`).join('');
  }
  const { act, user } = asked;
  if (act === 'add') {
    const { email, role, password } = await all.create(user);
    return password === null
      ? `${email} is ${role} now and signs in with the identity provider.\n`
      : `${email} is ${role} now and signs in with this password, which is shown only once:\n${password}\n`;
  }
  const known = (await all.list()).find(({ email }) => email === user.email);
  if (known === undefined) throw problem('user_not_found', `${user.email} is not a user of this server.`);
  switch (act) {
    case 'role': {
      const { email, role } = await all.changeRole(known.id, user.role);
      return `${email} is ${role} now.\n`;
    }
    case 'password': {
      const { email, password } = await all.resetPassword(known.id);
      return `${email} signs in with this password from now on. It is shown only once:\n${password}\n`;
    }
    case 'remove':
      await all.remove(known.id);
      return `${known.email} was removed and signed out everywhere, and their API keys no longer work.\n`;
  }
}
