/** Protects the page of a sweep: it shows every cell as it was stored, and refuses cells of a shape that it does not know. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serversDocumentSchema, serversSchemaVersion } from '../../shared/kinds/servers/servers-result.ts';
import { showPage } from './result-queries.ts';

const golden = new URL(
  `../../server/life/database/golden/servers-v${serversSchemaVersion}.json`,
  import.meta.url,
);
const document = serversDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

test('a sweep reads as its own schema reads it', () => {
  expect(document.cells.length).toBeGreaterThan(1);
  expect(showPage.response.parse(structuredClone(document))).toEqual(document);
});

test.each([
  ['of another version', [{ ...document.cells[0], median: 1 }]],
  ['that are no list', { length: 1 }],
])('cells %s are refused', (_, cells) => {
  expect(showPage.response.safeParse({ ...document, cells }).success).toBe(false);
});

test('a sweep without cells is one', () => {
  expect(showPage.response.safeParse({ ...document, cells: [] }).success).toBe(true);
});
