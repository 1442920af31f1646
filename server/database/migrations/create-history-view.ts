import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** A view of the history: a table of figures beside what is known of each measurement. Migrations share it: what it creates stays as it is. */

type Type = 'text' | 'integer' | 'double precision' | 'truth';
export type FigureColumns = Record<string, Type>;

export async function createHistoryView(
  queries: Kysely<unknown>,
  { table, view, columns }: { table: string; view: string; columns: FigureColumns },
): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  const own = Object.entries(columns).map(([name, type]) => readColumn(name, type, isPostgres));
  const [created, finished] = ['created_at', 'ended_at'].map((name) => readTime(name, isPostgres));
  await sql
    .raw(
      `create view ${view} as select f.measurement_id, m.title, m.state, ${created} as created_at, ${finished} as finished_at, ${own.join(', ')} from ${table} f join measurements m on m.id = f.measurement_id`,
    )
    .execute(queries);
}

export function storedType(type: Type) {
  return type === 'truth' ? 'integer' : type;
}

/** SQLite has no truth but 1 and 0. */
function readColumn(name: string, type: Type, isPostgres: boolean): string {
  return isPostgres && type === 'truth' ? `f.${name} = 1 as ${name}` : `f.${name}`;
}

function readTime(name: string, isPostgres: boolean): string {
  return isPostgres
    ? `to_timestamp(m.${name} / 1000.0)`
    : `strftime('%Y-%m-%dT%H:%M:%SZ', m.${name} / 1000, 'unixepoch')`;
}

/** A value and the ends of its interval. */
export const estimates = (names: readonly string[]): FigureColumns =>
  Object.fromEntries(
    names.flatMap((name) => ['', '_lo', '_hi'].map((end) => [`${name}${end}`, 'double precision'])),
  );

export const all = <Name extends string>(names: readonly Name[], type: Type): FigureColumns =>
  Object.fromEntries(names.map((name) => [name, type]));
