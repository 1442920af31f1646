/** Protects how measurements are found again: what people write on them, and the bin with its way back and its end. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { binDays } from '../../../shared/results/schedule.ts';
import { type MeasurementsInTest, openMeasurementsInTest } from '../../testing/measurements-in-test.ts';

let server: MeasurementsInTest;
beforeEach(async () => {
  server = await openMeasurementsInTest();
});
afterEach(async () => {
  await server.close();
  expect(server.problems).toEqual([]);
});

const rejection = (code: string) => ({ problem: { code } });
const generatedTitle = 'Letters of one, three';
const listed = async (filter: object = {}) =>
  (await server.measurements.list({ kinds: null, limit: 9, ...filter })).summaries;

async function finished(body: object = {}): Promise<{ id: string; token: string }> {
  const { id, deleteToken } = await server.measurements.create('dummy', body, null);
  (await server.begun()).finish();
  await server.events(id);
  return { id, token: deleteToken ?? '' };
}

const textOf = async (id: string) => (await server.measurements.readDocument(id)).text();

describe('what is written on a measurement', () => {
  test('comes with the request, and is in the list, in the search and in the report', async () => {
    const annotation = { title: 'After the upgrade', note: 'with <b>OpenSSL</b> 3.5', tags: ['nightly'] };
    const { id } = await finished({ annotation });
    expect(await server.measurements.annotation(id)).toEqual({ ...annotation, generatedTitle });
    const line = { id, title: annotation.title, generatedTitle, tags: ['nightly'] };
    expect(await listed({ q: 'openssl three' })).toMatchObject([line]);
    expect(await listed({ tag: 'Nightly', target: 'three' })).toMatchObject([line]);
    expect(await server.measurements.summary(id)).toMatchObject(line);
    expect((await server.measurements.print(id, 'md')).content).toBe(
      `# ${generatedTitle}\n\n**After the upgrade**\n\nTags: nightly\n\n> with \\<b\\>OpenSSL\\</b\\> 3.5\n\n0\n`,
    );
  });

  test('is no part of the request, the document or the data', async () => {
    const { id } = await finished();
    const before = await textOf(id);
    await server.measurements.annotate(id, { title: 'Own', note: 'Note', tags: ['tag'] });
    expect(await textOf(id)).toBe(before);
    expect((await server.measurements.print(id, 'csv')).content).not.toContain('Own');
    expect(await server.document(id)).toMatchObject({ request: { kind: 'dummy', words: ['one', 'three'] } });
  });

  test('can be changed while it waits and while it goes on, and stays when it ends', async () => {
    const [running, waiting] = [await server.create(), await server.create()];
    const { finish } = await server.begun();
    for (const id of [running, waiting]) await server.measurements.annotate(id, { title: `Own ${id}` });
    expect(await server.measurements.summary(running)).toMatchObject({ title: `Own ${running}` });
    expect(await server.measurements.cancel(waiting, true)).toMatchObject({ title: `Own ${waiting}` });
    finish();
    await server.events(running);
    expect((await listed()).map(({ title }) => title)).toEqual([`Own ${waiting}`, `Own ${running}`]);
    expect(await server.measurements.annotate(running, { title: '' })).toMatchObject({
      title: generatedTitle,
    });
  });

  test.each([
    [{ title: 'x'.repeat(201) }, 'annotation.title'],
    [{ tags: Array.from({ length: 5000 }, () => 'x') }, 'annotation.tags'],
    ['text', 'annotation'],
  ])('of a new one is refused at its field: %j', async (annotation, field) => {
    await expect(server.create({ annotation })).rejects.toMatchObject({
      problem: { code: 'invalid_request', errors: [{ field }] },
    });
  });

  test('does not make another request of it', async () => {
    const create = (annotation: object) => server.measurements.create('dummy', { annotation }, 'key');
    const first = await create({ title: 'One' });
    expect(await create({ title: 'Two' })).toEqual(first);
    expect(await server.measurements.annotation(first.id)).toMatchObject({ title: 'One' });
  });

  test('is refused for what is not there', async () => {
    const id = 'x'.repeat(22);
    await expect(server.measurements.annotation(id)).rejects.toMatchObject(rejection('run_not_found'));
    await expect(server.measurements.annotate(id, { title: 'Own' })).rejects.toMatchObject(
      rejection('run_not_found'),
    );
  });
});

describe('the bin', () => {
  test('takes what its token deletes: nobody opens it, the list and the bin say so, and it comes back whole', async () => {
    const { id, token } = await finished({ annotation: { title: 'Own' } });
    const { measurements } = server;
    const before = await textOf(id);
    await expect(measurements.bin(id, 'wrong')).rejects.toMatchObject(rejection('wrong_delete_token'));
    await measurements.bin(id, token);
    const binned = rejection('run_binned');
    for (const reading of [
      () => measurements.readDocument(id),
      () => measurements.print(id, 'md'),
      () => measurements.print(id, 'csv'),
      () => measurements.document(id),
      () => measurements.kept(id),
      () => measurements.events(id, 0),
      () => measurements.summary(id),
      () => measurements.annotation(id),
      () => measurements.annotate(id, { title: 'Other' }),
      () => measurements.cancel(id, true),
      () => measurements.resume(id),
      () => measurements.demandReadable(id),
      () => measurements.bin(id, token),
    ]) {
      await expect(reading(), `${reading}`).rejects.toMatchObject(binned);
    }
    expect(await listed()).toEqual([]);
    expect(await measurements.listBin({ limit: 9 })).toMatchObject({
      binned: [{ measurement: { id, title: 'Own' } }],
      nextCursor: null,
    });
    await expect(measurements.restore(id, 'wrong')).rejects.toMatchObject(rejection('wrong_delete_token'));
    expect(await measurements.restore(id, token)).toMatchObject({ id, title: 'Own', state: 'finished' });
    expect(await textOf(id)).toBe(before);
    expect(await listed()).toMatchObject([{ id }]);
    expect(await measurements.listBin({ limit: 9 })).toEqual({ binned: [], nextCursor: null });
    // Restoring a measurement that is not in the bin changes nothing.
    expect(await measurements.restore(id, token)).toMatchObject({ id });
  });

  test('says until when in a sentence', async () => {
    const { id, token } = await finished();
    await server.measurements.bin(id, token);
    await server.database.queries
      .updateTable('bin')
      .set({ deletedAt: Date.UTC(2026, 10, 22, 12) })
      .execute();
    await expect(server.measurements.summary(id)).rejects.toMatchObject({
      problem: {
        status: 410,
        detail: 'It was deleted on November 22, 2026 and can be restored until December 22, 2026.',
      },
    });
  });

  test('keeps one that is not over out, and gives one that is in it up for good by its token', async () => {
    const { id, token } = await finished();
    const other = await server.measurements.create('dummy', {}, null);
    await expect(server.measurements.bin(other.id, other.deleteToken ?? '')).rejects.toMatchObject(
      rejection('run_unfinished'),
    );
    await server.measurements.bin(id, token);
    await expect(server.measurements.remove(id, 'wrong')).rejects.toMatchObject(
      rejection('wrong_delete_token'),
    );
    await server.measurements.remove(id, token);
    await expect(server.measurements.restore(id, token)).rejects.toMatchObject(rejection('run_deleted'));
    await expect(server.measurements.readDocument(id)).rejects.toMatchObject(rejection('run_deleted'));
  });

  test('is emptied of what has been in it for its time, and of nothing else', async () => {
    const [old, young] = [await finished(), await finished()];
    for (const { id, token } of [old, young]) await server.measurements.bin(id, token);
    const day = 24 * 60 * 60_000;
    const age = (id: string, days: number) =>
      server.database.queries
        .updateTable('bin')
        .set({ deletedAt: Date.now() - days * day })
        .where('measurementId', '=', id)
        .execute();
    await age(old.id, binDays);
    await age(young.id, binDays - 1);
    const next = await server.restart();
    await expect(next.measurements.readDocument(old.id)).rejects.toMatchObject(rejection('run_deleted'));
    expect(await next.measurements.restore(young.id, young.token)).toMatchObject({ id: young.id });
    await next.measurements.close();
  });

  test('lets the same request with the same key be made anew', async () => {
    const first = await server.measurements.create('dummy', {}, 'key');
    (await server.begun()).finish();
    await server.events(first.id);
    await server.measurements.bin(first.id, first.deleteToken ?? '');
    expect((await server.measurements.create('dummy', {}, 'key')).id).not.toBe(first.id);
  });
});
