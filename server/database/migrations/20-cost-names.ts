import { type Kysely, sql } from 'kysely';

/** The line of a list names its verdict's metric, which was called otherwise before cost was read at load. */
export async function nameCosts(queries: Kysely<unknown>): Promise<void> {
  for (const [earlier, name] of [
    ['"metric":"cpu_per_transaction"', '"metric":"cpu_lone"'],
    ['"metric":"cpu_per_transaction_at_maximum"', '"metric":"cpu_at_load"'],
  ]) {
    await sql`update measurements set summary = replace(summary, ${earlier}, ${name})`.execute(queries);
  }
}
