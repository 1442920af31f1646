import pg from 'pg';
import {
  type Category,
  indexes,
  makeCatalogue,
  type Product,
  printPostgresExpression,
  procedures,
  seedVersion,
  tables,
} from './catalogue.ts';
import type { LatestReview, Store } from './store.ts';

/** Everything of ours is in one schema, so that a database which holds other things keeps them. */
const schema = 'tls_toll_storefront';
const connectionTimeoutMillis = 5000;
const connections = 8;

/** The shop on PostgreSQL: every procedure is a stored function, called by a named prepared statement. */
export async function openPostgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({ ...connectionOf(url), max: connections, idleTimeoutMillis: 0 });
  // A connection that breaks while idle is replaced at the next call, which reports what is wrong.
  pool.on('error', () => {});
  const rowsOf = async <Row extends pg.QueryResultRow>(name: keyof typeof procedures, values: unknown[]) => {
    const places = values.map((_, index) => `$${index + 1}`);
    const { rows } = await pool.query<Row>({ name, text: `SELECT * FROM ${name}(${places})`, values });
    return rows;
  };
  const store: Store = {
    productCategoryList: () => rowsOf<Category>('ProductCategoryList', []),
    productsMostPopular: (limit) => rowsOf<Product>('ProductsMostPopular', [limit]),
    reviewsLatest: (limit) => rowsOf<LatestReview>('ReviewsLatest', [limit]),
    productSearch: async ({ words, category, limit }) => {
      if (words.length === 0) return { products: [], hits: 0 };
      const values = [printPostgresExpression({ words }), category, limit];
      const products = await rowsOf<Product & { hits: number }>('ProductSearch', values);
      return { products, hits: products[0]?.hits ?? 0 };
    },
    close: () => pool.end(),
  };
  await store.productCategoryList();
  return store;
}

/** Makes the shop's schema in the database at `url` unless one of this version is there; all of it or nothing. */
export async function seedPostgres(url: string): Promise<void> {
  const client = new pg.Client(connectionOf(url));
  // Errors of the connection are reported by the query that fails.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    // Two servers that start at once on one database: the second waits, and finds it done.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [schema]);
    if (!(await isSeeded(client))) await makeSchema(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

function connectionOf(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis, options: `-c search_path=${schema}` };
}

async function isSeeded(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ version: string | null }>(
    'SELECT obj_description(to_regnamespace($1)) AS version',
    [schema],
  );
  return rows[0]?.version === versionNote;
}

const versionNote = `TLS Toll storefront, version ${seedVersion}`;

async function makeSchema(client: pg.Client): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
  for (const statement of tables.postgres) await client.query(statement);
  const { categories, products, reviews } = makeCatalogue();
  for (const [table, rows] of Object.entries({ category: categories, product: products, review: reviews })) {
    await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  for (const statement of indexes.postgres) await client.query(statement);
  for (const procedure of Object.values(procedures)) await client.query(procedure.postgres);
  await client.query(`COMMENT ON SCHEMA ${schema} IS '${versionNote}'`);
}
