/** Protects deleting over HTTP: it takes the delete token, can be undone, and is final when asked for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { binListSchema, binOutcomeSchema } from '../../../shared/results/schedule.ts';
import { clientPage, openTestServer, type Reply, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Delete token of the runs that the tests store. */
const token = 'token';
const api = '/api/v1';
const stored = async () => (await server.storeRun()).id;
const remove = (id: string, query = '', deleteToken = token) =>
  server.send(`${api}/measurements/${id}${query}`, {
    method: 'DELETE',
    headers: { 'X-Delete-Token': deleteToken },
  });
const restore = (id: string, deleteToken = token) =>
  server.send(`${api}/measurements/${id}/restore`, {
    method: 'POST',
    headers: { 'X-Delete-Token': deleteToken },
  });
const post = (path: string, items: unknown) =>
  server.send(`${api}${path}`, { method: 'POST', body: { items } });
const codeOf = ({ text }: Reply) => problemSchema.parse(JSON.parse(text)).code;
const binned = async (query = '') =>
  binListSchema.parse(JSON.parse((await server.send(`${api}/bin${query}`)).text));

test('a deleted result is in the bin: its addresses say until when, and its token restores it', async () => {
  const id = await stored();
  const before = (await server.send(`/r/${id}.json`)).text;
  expect((await remove(id, '', 'wrong')).status).toBe(403);
  expect((await remove(id)).status).toBe(204);
  for (const path of [
    `/r/${id}.json`,
    `/r/${id}.csv`,
    `/r/${id}.parquet`,
    `/r/${id}.md`,
    `/r/${id}.jsonl`,
    `/r/${id}.html`,
    `/r/${id}/badge.svg`,
    `/r/${id}/og.png`,
    `/r/${id}/embed`,
    `/r/${id}/cells/a.json`,
    `/r/${id}/cells/a/https.ab.txt`,
    `${api}/measurements/${id}`,
    `${api}/measurements/${id}/annotation`,
    `${api}/measurements/${id}/events`,
    `${api}/measurements/${id}/cells/a`,
    `${api}/measurements/${id}`,
    `${api}/measurements/${id}/series`,
    `${api}/measurements/${id}/configuration`,
    `${api}/measurements/${id}/explanation?explain=${id}`,
  ]) {
    const reply = await server.send(path);
    expect([reply.status, codeOf(reply)], path).toEqual([410, 'run_binned']);
    expect(problemSchema.parse(JSON.parse(reply.text)).detail).toMatch(
      /can be restored until \w+ \d+, \d{4}\.$/,
    );
  }
  const other = await stored();
  for (const path of [`/r/${id}`, `/r/${id}/cells/a`, `/c/${id}..${other}`]) {
    const page = await server.send(path, { headers: { Accept: 'text/html' } });
    expect(page, path).toMatchObject({ status: 410, text: clientPage });
  }

  const { binned: list } = await binned();
  expect(list).toMatchObject([{ measurement: { id, url: `/r/${id}` } }]);
  expect(list.map(({ deletedAt, removedAt }) => (removedAt - deletedAt) / 86_400_000)).toEqual([30]);
  expect((await restore(id, 'wrong')).status).toBe(403);
  const restored = await restore(id);
  expect([restored.status, JSON.parse(restored.text).id]).toEqual([200, id]);
  expect((await server.send(`/r/${id}.json`)).text).toBe(before);
  expect((await binned()).binned).toEqual([]);
});

test('a deleted result loses its rows in the history and gets them back when restored', async () => {
  const id = await stored();
  const rows = async () => {
    const sql = `select count(*) from v_metrics where measurement_id = '${id}'`;
    const { text } = await server.send(`${api}/sql`, { method: 'POST', body: { sql } });
    return JSON.parse(text).rows[0][0];
  };
  const before = await rows();
  expect(before).toBeGreaterThan(0);
  await remove(id);
  expect(await rows()).toBe(0);
  await restore(id);
  expect(await rows()).toBe(before);
});

test.each(['in the bin', 'at once'])('a result removed for good, %s, cannot be restored', async (when) => {
  const id = await stored();
  if (when === 'in the bin') await remove(id);
  expect((await remove(id, '?permanent=true', 'wrong')).status).toBe(403);
  expect((await remove(id, '?permanent=true')).status).toBe(204);
  for (const reply of [await server.send(`/r/${id}.json`), await restore(id), await remove(id)]) {
    expect([reply.status, codeOf(reply)]).toEqual([410, 'run_deleted']);
  }
});

test('several are deleted, restored and removed at once; a refused one does not stop the others', async () => {
  const [one, two, foreign] = [await stored(), await stored(), await stored()];
  const unknown = 'Z'.repeat(22);
  const items = [
    { id: one, deleteToken: token },
    { id: foreign, deleteToken: 'wrong' },
    { id: unknown, deleteToken: token },
    { id: two, deleteToken: token },
  ];
  const refused = (reply: Reply) => {
    const outcome = binOutcomeSchema.parse(JSON.parse(reply.text));
    expect(outcome.done).toEqual([one, two]);
    return outcome.refused.map(({ id, problem }) => [id, problem.code]);
  };
  const expected = [
    [foreign, 'wrong_delete_token'],
    [unknown, 'run_not_found'],
  ];
  expect(refused(await post('/bin', items))).toEqual(expected);
  expect((await binned()).binned).toHaveLength(2);
  const { binned: page, nextCursor } = await binned('?limit=1');
  const { binned: rest } = await binned(`?limit=1&cursor=${nextCursor}`);
  expect(new Set([...page, ...rest].map(({ measurement }) => measurement.id))).toEqual(new Set([one, two]));
  expect(refused(await post('/bin/restore', items))).toEqual(expected);
  expect((await binned()).binned).toEqual([]);
  expect(refused(await post('/bin/remove', items))).toEqual(expected);
  expect((await server.send(`/r/${foreign}.json`)).status).toBe(200);
  expect((await server.send(`/r/${one}.json`)).status).toBe(410);
});

test.each<[field: string, items: unknown]>([
  ['items', []],
  ['items', 'all'],
  ['items', Array.from({ length: 101 }, () => ({ id: 'a'.repeat(22), deleteToken: 'x' }))],
  ['items.0.id', [{ id: 'short', deleteToken: 'x' }]],
  ['items.0.deleteToken', [{ id: 'a'.repeat(22), deleteToken: '' }]],
  ['items.0.deleteToken', [{ id: 'a'.repeat(22) }]],
])('wrong %s are refused by that name', async (field, items) => {
  for (const path of ['/bin', '/bin/restore', '/bin/remove']) {
    const reply = await post(path, items);
    expect(reply.status).toBe(400);
    expect(problemSchema.parse(JSON.parse(reply.text)).errors?.map((error) => error.field)).toEqual([field]);
  }
});

test('a measurement that has not ended is not deleted, and a wrong query deletes nothing', async () => {
  const { id, deleteToken } = await server.measurements.create('comparison', {}, null);
  const reply = await remove(id, '', deleteToken ?? '');
  expect([reply.status, codeOf(reply)]).toEqual([409, 'run_unfinished']);
  const kept = await stored();
  for (const query of ['?permanent=yes', '?for=good']) {
    expect((await remove(kept, query)).status).toBe(400);
  }
  expect((await server.send(`/r/${kept}.json`)).status).toBe(200);
});

test('a page of another site deletes and restores nothing', async () => {
  const headers = { Origin: 'http://evil.example' };
  const body = { items: [{ id: await stored(), deleteToken: token }] };
  for (const path of ['/bin', '/bin/restore', '/bin/remove']) {
    expect((await server.send(`${api}${path}`, { method: 'POST', headers, body })).status).toBe(403);
  }
});
