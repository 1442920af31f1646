/** Protects the storefront’s catalog and its procedures on SQLite. */
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCatalogue } from './catalogue.ts';
import { openSqliteStore, seedSqlite } from './store.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-shop-'));
  path = join(directory, 'shop.sqlite');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('The catalog is the same at every call, and holds at least 2,000 products', () => {
  const catalogue = makeCatalogue();
  expect(catalogue).toEqual(makeCatalogue());
  expect(catalogue.products.length).toBeGreaterThanOrEqual(2000);
  expect(new Set(catalogue.products.map((product) => product.model_number)).size).toBe(
    catalogue.products.length,
  );
});

test('The most sold products come first', async () => {
  seedSqlite(path);
  const store = openSqliteStore(path);
  const expected = makeCatalogue()
    .products.toSorted((a, b) => b.sold - a.sold || a.id - b.id)
    .slice(0, 5);
  expect(await store.productsMostPopular(5)).toEqual(expected);
  await store.close();
});

test('A search finds what holds every word, counts all of it and shows the first', async () => {
  seedSqlite(path);
  const store = openSqliteStore(path);
  const holds = (text: string) => /\btravel/i.test(text) && /\blamp/i.test(text);
  const expected = makeCatalogue()
    .products.filter((p) => holds(`${p.model_number} ${p.model_name} ${p.manufacturer} ${p.description}`))
    .toSorted((a, b) => b.sold - a.sold || a.id - b.id);
  const found = await store.productSearch({ words: ['travel', 'lamp'], category: 0, limit: 7 });
  expect(found.hits).toBe(expected.length);
  expect(found.products.map(({ id }) => id)).toEqual(expected.slice(0, 7).map(({ id }) => id));
  await store.close();
});

test('A search within a department stays there', async () => {
  seedSqlite(path);
  const store = openSqliteStore(path);
  const { products, hits } = await store.productSearch({ words: ['camera'], category: 7, limit: 100 });
  expect(hits).toBe(products.length);
  expect(new Set(products.map((product) => product.category_id))).toEqual(new Set([7]));
  await store.close();
});

test('No words find nothing', async () => {
  seedSqlite(path);
  const store = openSqliteStore(path);
  expect(await store.productSearch({ words: [], category: 0, limit: 7 })).toEqual({ products: [], hits: 0 });
  await store.close();
});

test('The latest reviews come with the name of what they are about', async () => {
  seedSqlite(path);
  const store = openSqliteStore(path);
  const { products, reviews } = makeCatalogue();
  const expected = reviews
    .toSorted((a, b) => b.written_on.localeCompare(a.written_on) || a.id - b.id)
    .slice(0, 3)
    .map((review) => ({ id: review.id, model_name: products[review.product_id - 1]?.model_name }));
  expect((await store.reviewsLatest(3)).map(({ id, model_name }) => ({ id, model_name }))).toEqual(expected);
  await store.close();
});

test('The shop cannot be written to', () => {
  seedSqlite(path);
  const database = new DatabaseSync(path, { readOnly: true });
  expect(() => database.exec('DELETE FROM product')).toThrow('readonly');
  database.close();
});

test('A sound file is kept', () => {
  seedSqlite(path);
  const before = statSync(path).ino;
  seedSqlite(path);
  expect(statSync(path).ino).toBe(before);
});

test.for([
  [
    'is not a database',
    () => writeFileSync(path, 'not a database, though long enough to be looked into. '.repeat(50)),
  ],
  ['was cut off', () => truncateSync(path, 1_000_000)],
  ['is of another version', () => setVersion(99)],
] as const)('A file that %s is made anew', async ([, damage]) => {
  seedSqlite(path);
  damage();
  seedSqlite(path);
  const store = openSqliteStore(path);
  expect(await store.productCategoryList()).toHaveLength(12);
  await store.close();
});

function setVersion(version: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}
