import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { problem } from '../../../shared/base/problem.ts';
import { historyViewNames } from '../../../shared/results/history.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { problemOfDatabaseError } from '../database/data-directory.ts';
import type { ReaderPlace } from './history-questions.ts';

/**
 * The role that SQL runs as, which may read only the views. It signs in itself, because a session could undo SET ROLE. Its password
 * is valid for one query, so nothing stores it and servers that share a database need not agree on one. Each query checks the role.
 * A migration could not, because roles are not part of a database and a restored copy has none.
 */
export type Admission = {
  place: ReaderPlace;
  /** Call after its session has begun or failed. Until then, no other server can change the password. */
  begun(): Promise<void>;
  /** Ends its session, whatever it is doing; `backend` is 0 without a session. */
  end(backend: number): Promise<void>;
};

const timesMs = { connectionTimeoutMillis: 5000, query_timeout: 15_000, lock_timeout: 10_000 };
/** Limit for all servers of a database together. */
const mostSessions = 20;

/** Throws sql_off, sql_busy, database_unavailable. */
export async function admitReader(url: string): Promise<Admission> {
  const owner = new pg.Client({ ...timesMs, connectionString: url, application_name: 'tls-toll sql owner' });
  owner.on('error', () => {});
  try {
    await owner.connect();
    await owner.query("select pg_advisory_lock(hashtext('tls-toll sql reader'))");
    const { role, schema } = await prepareRole(owner);
    const password = randomBytes(24).toString('base64url');
    await asRole(owner, role, `alter role ${pg.escapeIdentifier(role)} password '${verifierOf(password)}'`);
    const { host, port, database = '' } = owner;
    return {
      place: { host, port, database, ssl: sslOf(owner), user: role, password, schema },
      async begun() {
        await owner.query('select pg_advisory_unlock_all()').catch(() => {});
      },
      async end(backend) {
        const sql = `select pg_terminate_backend(pid) from pg_stat_activity where pid = ${backend} and usename = current_user`;
        await asRole(owner, role, sql).catch(() => {});
        await owner.end().catch(() => {});
      },
    };
  } catch (error) {
    await owner.end().catch(() => {});
    throw problemOfAdmission(error);
  }
}

/** pg makes the key non-enumerable. */
function sslOf({ ssl }: { ssl: unknown }): ReaderPlace['ssl'] {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true;
  return { ...ssl, ...('key' in ssl ? { key: String(ssl.key) } : {}) };
}

function problemOfAdmission(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return problemOfDatabaseError(error, { database: theDatabase });
  if (error.code === '55P03') return problem('sql_busy', 'Other servers of this database run queries.');
  const known = problemOfDatabaseError(error, { database: theDatabase });
  return known === error
    ? problemOfError('sql_off', 'The role that SQL runs as could not be prepared', error)
    : known;
}

const theDatabase = 'The database of DATABASE_URL';

type Role = {
  role: string;
  owner: string;
  /** Schema of the views. */
  schema: string;
  /** Whether the role exists. */
  made: boolean;
  /** Whether our user may act as the role. */
  ours: boolean;
};

/** Creates the role if needed, grants it the views, and checks that it can use nothing else. */
async function prepareRole(owner: pg.Client): Promise<Role> {
  const { rows } = await owner.query<Role>(roleSql);
  const [known] = rows;
  if (known === undefined) throw off('The search path of the user of DATABASE_URL has no history views.');
  const role = pg.escapeIdentifier(known.role);
  await runOrTell(owner, [
    ...(known.made ? [] : [`create role ${role} login connection limit ${mostSessions}`]),
    ...(known.ours ? [] : [`grant ${role} to ${pg.escapeIdentifier(known.owner)}`]),
  ]);
  const values = [known.role, known.schema, historyViewNames];
  const missing = await owner.query<{ grant: string }>(missingSql, values);
  await runOrTell(
    owner,
    missing.rows.map(({ grant }) => grant),
  );
  const { rows: excess } = await owner.query<{ what: string }>(excessSql, values);
  if (excess[0] !== undefined) {
    throw off(`The role ${known.role} ${excess[0].what}. It may only read the views: revoke the rest.`);
  }
  return known;
}

/** Names over 63 bytes are cut as PostgreSQL does. A superuser may act as any role. */
const roleSql = `
  select r.name as role, current_user as owner, n.nspname as schema, g.oid is not null as made,
    u.rolsuper or (g.oid is not null and pg_has_role(g.oid, 'member')) as ours
  from (select ('tls_toll_sql_' || current_database())::name as name) r
  join pg_class v on v.oid = to_regclass('${historyViewNames[0]}')
  join pg_namespace n on n.oid = v.relnamespace
  join pg_roles u on u.rolname = current_user
  left join pg_roles g on g.rolname = r.name`;

const missingSql = `
  with reader as (select $1::name as role, $2::name as schema, $3::text[] as views)
  select format('grant connect on database %I to %I', current_database(), role) as grant
  from reader where not has_database_privilege(role, current_database(), 'connect')
  union all select format('grant usage on schema %I to %I', schema, role)
  from reader where not has_schema_privilege(role, schema, 'usage')
  union all select format('grant select on %I.%I to %I', schema, view, role)
  from reader, unnest(views) view where not has_table_privilege(role, format('%I.%I', schema, view), 'select')
  union all select format('alter role %I login', rolname)
  from reader join pg_roles on rolname = role where not rolcanlogin`;

/**
 * Includes tables that PUBLIC may use. Excludes those of extensions, such as pg_stat_statements, which shows a role its own
 * statements.
 */
const excessSql = `
  with reader as (select $1::name as role, $2::name as schema, $3::text[] as views)
  select 'is more than a reader' as what from reader join pg_roles on rolname = role
  where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
  union all select format('is a member of %s', m.roleid::regrole)
  from reader join pg_roles on rolname = role join pg_auth_members m on m.member = pg_roles.oid
  union all select format('may use %s', c.oid::regclass)
  from reader, pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
  and not (c.relkind = 'v' and n.nspname = schema and c.relname = any(views))
  and has_schema_privilege(role, n.oid, 'usage')
  and case c.relkind when 'S' then has_sequence_privilege(role, c.oid, 'usage, select, update')
    else has_table_privilege(role, c.oid, 'select, insert, update, delete, truncate, references, trigger')
      or has_any_column_privilege(role, c.oid, 'select, insert, update, references') end
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  limit 1`;

/** Runs all of the statements or none. */
async function runOrTell(owner: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  const sql = `${statements.join('; ')};`;
  try {
    await owner.query(sql);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
    throw off(
      `SQL runs as its own role, which the user of DATABASE_URL may not create. Run this once as a superuser of PostgreSQL: ${sql}`,
    );
  }
}

/** Uses a transaction, so the session belongs to the owner again afterwards. */
async function asRole(owner: pg.Client, role: string, sql: string): Promise<void> {
  try {
    await owner.query(`begin; set local role ${pg.escapeIdentifier(role)}; ${sql}; commit`);
  } catch (error) {
    await owner.query('rollback').catch(() => {});
    throw error;
  }
}

/** The form in which PostgreSQL stores a password (RFC 5803), so the password itself is in no statement and no log. */
function verifierOf(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

function off(detail: string) {
  return problem('sql_off', detail);
}
