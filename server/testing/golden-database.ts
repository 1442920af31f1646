import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const golden = (name: string) => fileURLToPath(new URL(`../database/golden/${name}`, import.meta.url));

/** For tests: a database as the last version before measurements left it, with a run and a grid in each state. */
export async function placeGoldenDatabase(place: { directory: string; url: string | null }): Promise<void> {
  if (place.url === null) {
    return copyFileSync(golden('schema-3.sqlite'), join(place.directory, 'tls-toll.sqlite'));
  }
  const client = new pg.Client(place.url);
  await client.connect();
  await client.query(readFileSync(golden('schema-3.postgres.sql'), 'utf8'));
  await client.end();
}
