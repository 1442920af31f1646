import { problem } from '../../../shared/base/problem.ts';
import { type Role, roles, roleWords } from '../../../shared/team/role.ts';
import { type NewUser, newUserSchema } from '../../../shared/team/team.ts';
import type { Users } from '../team/open-keys.ts';
import { parsedBy } from './api-client.ts';
import { withTeam } from './keys.ts';
import { verb } from './verb.ts';

const acts = ['add', 'list', 'role', 'password', 'remove'] as const;
type Act = (typeof acts)[number];

const options = verb('users')
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
  process.stdout.write(await withTeam(({ users: all }) => perform(asked, all)));
  return 0;
}

type Asked = { act: 'list' } | { act: Exclude<Act, 'list'>; user: NewUser; role: Role | null };

/** Throws invalid_arguments. */
export function parseUsers(args: string[]): Asked {
  const [name, email] = options.parse(args, { from: 'user' }).processedArgs;
  const act = acts.find((known) => known === name);
  if (act === undefined) {
    throw problem('invalid_arguments', `"${name}" is not an action. Use ${acts.join(', ')}.`);
  }
  if (act === 'list') return { act };
  const { role, password } = options.opts();
  if (act === 'role' && role === undefined)
    throw problem('invalid_arguments', `Name the new role: --role ${roles.join(', ')}.`);
  if (act !== 'add' && !password) throw problem('invalid_arguments', '--no-password belongs to add.');
  const user = parsedBy(newUserSchema, { email: email ?? '', password, role });
  return { act, user, role: role === undefined ? null : user.role };
}

async function perform(asked: Asked, all: Users): Promise<string> {
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
