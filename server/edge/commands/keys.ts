import { keyEndpoints, teamEndpoints } from '../../../shared/api/session-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { roles } from '../../../shared/team/role.ts';
import { type ApiKey, type NewApiKey, newApiKeySchema } from '../../../shared/team/team.ts';
import { alignColumns, textOf } from '../../base/text/terminal.ts';
import { readConfig } from '../settings/config.ts';
import type { KeysOfActor, Users } from '../team/open-keys.ts';
import { type ApiClient, connectTo, findDashboard, numberIn, parsedBy } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('keys')
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
  process.stdout.write(await withTeam(({ keys: all }) => perform(asked, all)));
  return 0;
}

type Asked = { act: 'list' } | { act: 'remove'; id: string } | { act: 'add'; key: NewApiKey };

/** Throws invalid_arguments. */
export function parseKeys(args: string[]): Asked {
  const [act, name] = options.parse(args, { from: 'user' }).processedArgs;
  const { user, role, days, expiry } = options.opts();
  if (act === 'list') return { act };
  if (act === 'remove' && name !== undefined) return { act, id: name };
  if (act !== 'add' || name === undefined)
    throw problem('invalid_arguments', 'Write “keys add NAME”, “keys list” or “keys remove ID”.');
  const given = { user, role, days: expiry ? days : null };
  return { act, key: parsedBy(newApiKeySchema, { name, ...given }) };
}

async function perform(asked: Asked, all: KeysOfActor): Promise<string> {
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
  return textOf(alignColumns([head, ...rows], 'l'));
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
