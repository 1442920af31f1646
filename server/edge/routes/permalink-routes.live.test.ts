/** Protects the addresses of a sweep’s cells: page, JSON and ab’s text, their statuses, and what is not there. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { cellDocumentSchema, serversDocumentSchema } from '../../../shared/kinds/servers/servers-result.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { servers } from '../../kinds/servers/kind.ts';
import { sampleServers } from '../../testing/sample-servers.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { storeFinishedServers } from '../../testing/store-finished-servers.ts';
import { clientPage, openTestServer, type TestServer } from '../../testing/test-server.ts';

const sample = sampleServers({ plan: { shape: 'grid', levels: { concurrency: [1, 32] } }, rounds: 3 });
const { id } = sample.frame;
const [, cell] = sample.kept.facts.cells;
const path = `/r/${id}/cells/${cell?.id}`;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await storeFinishedServers(server.database, sample);
});
afterAll(() => server.close());

const codeOf = (text: string) => problemSchema.parse(JSON.parse(text)).code;

test('a cell is a page, and the same document at its permalink and in the API', async () => {
  expect(await server.send(path)).toMatchObject({ status: 200, text: clientPage });
  const link = await server.send(`${path}.json`);
  const api = await server.send(`/api/v1/measurements/${id}/cells/${cell?.id}`);
  expect(link.headers.etag).toMatch(/^"[\w-]{43}"$/);
  expect(cellDocumentSchema.parse(JSON.parse(link.text)).visits).toHaveLength(3);
  expect(JSON.parse(api.text)).toEqual(JSON.parse(link.text));
});

test.each(['http', 'https'] as const)('%s is what ab would have printed', async (side) => {
  const { status, headers, text } = await server.send(`${path}/${side}.ab.txt?download`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['content-disposition']).toContain(`${cell?.id}-${side}.ab.txt`);
  expect(text).toMatch(/^Concurrency Level: {6}32$/m);
  expect(text.includes('SSL/TLS Protocol')).toBe(side === 'https');
  const second = await server.send(`${path}/${side}.ab.txt?round=2`);
  expect(second.text).toContain('Note: Round 2.');
});

test('a sweep stored without its visits has pages of its cells, and one without its plan reports that', async () => {
  const golden = new URL('../../life/database/golden/servers-v1.json', import.meta.url);
  const document = serversDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));
  const stored = { ...document, id: '7withoutVisits00000000' };
  const kind = servers as unknown as AnyKind<never>;
  const first = `cells/${stored.cells[0]?.cell.id}`;
  await storeEnded(server.database, kind, stored);
  expect(await server.send(`/r/${stored.id}/${first}`)).toMatchObject({ status: 200, text: clientPage });
  const { status, text } = await server.send(`/r/${stored.id}/${first}.json`);
  expect(status, text).toBe(200);
  expect(cellDocumentSchema.parse(JSON.parse(text)).visits).toEqual([]);

  const bare = { ...stored, id: '7withoutPlan0000000000' };
  await storeEnded(server.database, kind, bare);
  await server.database.queries
    .updateTable('measurements')
    .set({ facts: '{}' })
    .where('id', '=', bare.id)
    .execute();
  expect(await server.send(`/r/${bare.id}/${first}`)).toMatchObject({ status: 404, text: clientPage });
  const missing = await server.send(`/r/${bare.id}/${first}.json`);
  expect([missing.status, codeOf(missing.text)]).toEqual([404, 'not_found']);
});

test('what is not there is said so, as a page and as a problem', async () => {
  expect(await server.send(`/r/${id}/cells/none`)).toMatchObject({ status: 404, text: clientPage });
  for (const missing of [
    `/r/${id}/cells/none.json`,
    `${path}/https.ab.txt?round=4`,
    `${path}/https.ab.txt?round=x`,
    `${path}/ftp.ab.txt`,
    `/api/v1/measurements/${id}/cells/none`,
  ]) {
    const { status, text } = await server.send(missing, { headers: { Accept: 'application/json' } });
    expect([missing, status, codeOf(text)]).toEqual([missing, 404, 'not_found']);
  }
  const unknown = await server.send(`/r/${'0'.repeat(22)}/cells/x.json`);
  expect([unknown.status, codeOf(unknown.text)]).toEqual([404, 'run_not_found']);
  const run = await server.storeRun();
  const other = await server.send(`/r/${run.id}/cells/x.json`);
  expect([other.status, codeOf(other.text)]).toEqual([404, 'not_found']);
  const posted = await server.send(path, { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } });
  expect(posted.status).toBe(405);
});
