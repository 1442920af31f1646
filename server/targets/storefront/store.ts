import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type Category,
  indexes,
  makeCatalogue,
  type Product,
  printSqliteExpression,
  procedures,
  type Review,
  type SearchTerms,
  seedVersion,
  tables,
} from './catalogue.ts';

export type StoreLocation = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

export type LatestReview = Review & { model_name: string; category_id: number };

type Search = SearchTerms & {
  /** Id of a category; 0 for all. */
  category: number;
  limit: number;
};

/** `hits` counts all that match; `products` are the first of them, the most sold first. */
type SearchResult = { products: Product[]; hits: number };

/** The database of the shop as the pages see it: one method a procedure. */
export type Store = {
  productCategoryList(): Promise<Category[]>;
  productsMostPopular(limit: number): Promise<Product[]>;
  reviewsLatest(limit: number): Promise<LatestReview[]>;
  productSearch(search: Search): Promise<SearchResult>;
  close(): Promise<void>;
};

/** A process that opens or closes the file locks it for a moment, so the others wait. */
const shared = { readOnly: true, timeout: 5_000 };

/** The shop on its own SQLite file. Every process opens the same file, and reads only. */
export function openSqliteStore(path: string): Store {
  const database = new DatabaseSync(path, shared);
  // Room for all of it, 16 MiB.
  database.exec('PRAGMA cache_size = -16384');
  const categoryList = prepareRows<Category>(database, procedures.ProductCategoryList.sqlite);
  const mostPopular = prepareRows<Product>(database, procedures.ProductsMostPopular.sqlite);
  const latestReviews = prepareRows<LatestReview>(database, procedures.ReviewsLatest.sqlite);
  const search = prepareRows<Product & { hits: number }>(database, procedures.ProductSearch.sqlite);
  return {
    productCategoryList: async () => categoryList({}),
    productsMostPopular: async (limit) => mostPopular({ limit }),
    reviewsLatest: async (limit) => latestReviews({ limit }),
    productSearch: async ({ words, category, limit }) => {
      if (words.length === 0) return { products: [], hits: 0 };
      const products = search({ expression: printSqliteExpression({ words }), category, limit });
      return { products, hits: products[0]?.hits ?? 0 };
    },
    close: async () => database.close(),
  };
}

type Parameters = Record<string, SQLInputValue>;

/**
 * A statement that gives its rows as ordinary objects, all of one shape: those that the driver makes are
 * dictionaries, which the templates read so slowly that a transaction costs an eighth more.
 */
function prepareRows<Row>(database: DatabaseSync, sql: string): (parameters: Parameters) => Row[] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return (parameters) =>
    (statement.all(parameters) as unknown as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) row[name] = values[index];
      return row as Row;
    });
}

/** Makes the file at `path` unless a sound one of this version is there. It takes its name when it is complete. */
export function seedSqlite(path: string): void {
  if (existsSync(path) && isSound(path)) return;
  const draft = `${path}.draft`;
  for (const file of [path, draft]) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  }
  const database = new DatabaseSync(draft);
  try {
    database.exec('PRAGMA journal_mode = WAL; BEGIN');
    for (const statement of tables.sqlite) database.exec(statement);
    insertCatalogue(database);
    for (const statement of indexes.sqlite) database.exec(statement);
    database.exec(`PRAGMA user_version = ${seedVersion}; COMMIT`);
  } finally {
    database.close();
  }
  renameSync(draft, path);
}

function isSound(path: string): boolean {
  try {
    const database = new DatabaseSync(path, shared);
    try {
      const version = database.prepare('PRAGMA user_version').get()?.user_version;
      return version === seedVersion && database.prepare('PRAGMA quick_check').get()?.quick_check === 'ok';
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function insertCatalogue(database: DatabaseSync): void {
  const { categories, products, reviews } = makeCatalogue();
  for (const [table, rows] of Object.entries({ category: categories, product: products, review: reviews })) {
    const columns = Object.keys(rows[0] ?? {});
    const places = columns.map((column) => `:${column}`);
    const insert = database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`);
    for (const row of rows) insert.run(row);
  }
}
