/** Protects a measurement from a disk that fills up: what is known is kept, and stored when there is room. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { isMeasuring, openLab, startLabServer } from '../../testing/lab-in-test.ts';
import { endPrograms } from '../../testing/program-in-test.ts';
import { mountSmallDisk } from '../../testing/small-disk.ts';
import { untilAsync } from '../../testing/until-async.ts';

const disk = mountSmallDisk(4);
afterEach(endPrograms);
afterAll(() => disk?.unmount());

test.skipIf(disk === null)(
  'a measurement on a disk that fills up can be canceled, and its end and the queue wait for room',
  async () => {
    const { directory = '', fill, clear } = disk ?? {};
    const lab = await startLabServer({ TLS_TOLL_DATA: directory });
    const { body: first } = await lab.createLong();
    const { body: second } = await lab.create(50);
    const viewer = lab.watch(first.id);
    await viewer.until(isMeasuring);
    fill?.();
    const { detail } = await viewer.until(({ type }) => type === 'stalled');
    expect(detail).toMatch(/no space left/i);
    expect(await lab.create(50)).toMatchObject({ status: 507, body: { code: 'disk_full' } });
    // It is said to whoever comes now as well.
    await lab.watch(first.id).until(({ type }) => type === 'stalled');

    expect(await lab.cancel(first.id)).toMatchObject({ status: 202, body: { id: first.id } });
    const ended = await untilAsync(
      () => lab.read(first.id),
      ({ body }) => body.state !== 'running',
    );
    expect(ended.body).toMatchObject({
      state: 'incomplete',
      problem: { code: expect.stringMatching('cancelled') },
    });
    expect(await lab.cancel(first.id)).toMatchObject({
      status: 409,
      body: { code: 'run_over', detail: expect.stringMatching(/incomplete.*stored/) },
    });
    expect(await lab.health()).toMatchObject({ status: 200, body: { running: first.id, queued: 1 } });
    expect(await lab.read(second.id)).toMatchObject({ status: 200, body: { state: 'queued' } });

    clear?.();
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
    expect(await lab.watch(second.id).until(({ type }) => type === 'end')).toMatchObject({
      state: 'finished',
    });
    expect((await lab.read(first.id)).body).toEqual(ended.body);
    lab.program.kill('SIGTERM');
    expect(await lab.program.ended).toBe(0);

    const next = await openLab(directory);
    expect((await next.read(first.id)).body).toEqual(ended.body);
    expect((await next.read(second.id)).body).toMatchObject({ state: 'finished' });
    await next.close();
  },
);
