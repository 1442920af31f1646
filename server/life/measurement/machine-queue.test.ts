/** Protects measurements from each other: one at a time has the machine, and the others wait in their order. */
import { expect, test } from 'vitest';
import { type Job, openMachineQueue, queueLimit, takeMachine } from './machine-queue.ts';

function open() {
  const problems: unknown[] = [];
  return { queue: openMachineQueue((error) => problems.push(error)), problems };
}

/** It goes on until it is told to end, or aborted. */
function scriptedJob(id: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const places: number[] = [];
  const began = Promise.withResolvers<void>();
  const job: Job = {
    id,
    kind: 'measurement',
    onPlace: (place) => places.push(place),
    perform(signal) {
      began.resolve();
      signal.addEventListener('abort', () => reject(signal.reason));
      return promise;
    },
  };
  return { job, places, end: resolve, fail: reject, began: began.promise };
}

test('one has the machine, and the others follow in the order in which they came', async () => {
  const { queue, problems } = open();
  const [a, b, c] = [scriptedJob('a'), scriptedJob('b'), scriptedJob('c')];
  for (const { job } of [a, b, c]) queue.add(job);
  expect(queue.status()).toMatchObject({ running: 'a', queued: 2 });
  expect(['a', 'b', 'c'].map(queue.placeOf)).toEqual([null, 1, 2]);
  a.end();
  await b.began;
  expect(queue.status()).toMatchObject({ running: 'b', queued: 1 });
  b.end();
  await c.began;
  c.end();
  expect([a.places, b.places, c.places]).toEqual([[1], [1], [2, 1]]);
  expect(problems).toEqual([]);
});

test('one that fails is told, and the next begins', async () => {
  const { queue, problems } = open();
  const [a, b] = [scriptedJob('a'), scriptedJob('b')];
  queue.add(a.job);
  queue.add(b.job);
  const why = new Error('broken');
  a.fail(why);
  await b.began;
  expect(problems).toEqual([why]);
});

test('one that waits is taken out, and those behind it move up', () => {
  const { queue } = open();
  const [a, b, c] = [scriptedJob('a'), scriptedJob('b'), scriptedJob('c')];
  for (const { job } of [a, b, c]) queue.add(job);
  expect(queue.remove('b')).toBe(true);
  expect(c.places).toEqual([2, 1]);
  expect(queue.remove('b')).toBe(false);
  expect(queue.remove('a'), 'it has the machine').toBe(false);
  expect(queue.status()).toMatchObject({ running: 'a', queued: 1 });
});

test('only what has the machine is aborted', async () => {
  const { queue, problems } = open();
  const [a, b] = [scriptedJob('a'), scriptedJob('b')];
  queue.add(a.job);
  queue.add(b.job);
  const why = new Error('cancelled');
  expect(queue.abort('b', why)).toBe(false);
  expect(queue.abort('a', why)).toBe(true);
  await b.began;
  expect(problems).toEqual([why]);
});

test('a full queue takes no more, but for what waited before the server began', () => {
  const { queue } = open();
  for (let i = 0; i <= queueLimit; i++) queue.add(scriptedJob(`job ${i}`).job);
  const full = expect.objectContaining({ problem: expect.objectContaining({ code: 'queue_full' }) });
  expect(() => queue.demandRoom()).toThrow(full);
  expect(() => queue.add(scriptedJob('late').job)).toThrow(full);
  queue.add(scriptedJob('earlier').job, true);
  expect(queue.placeOf('earlier')).toBe(queueLimit + 1);
});

test('a queue that closes aborts what runs, waits for its end, and begins nothing more', async () => {
  const { queue, problems } = open();
  const [a, b] = [scriptedJob('a'), scriptedJob('b')];
  queue.add(a.job);
  queue.add(b.job);
  const why = new Error('stopped');
  await queue.close(why);
  expect(problems).toEqual([why]);
  expect(queue.status()).toMatchObject({ running: null, queued: 1 });
  expect(() => queue.add(scriptedJob('late').job)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'server_closing' }) }),
  );
});

test('what would disturb a measurement takes the machine only when nothing has it or waits for it', async () => {
  const { queue } = open();
  const taking = Promise.withResolvers<string>();
  const taken = takeMachine(queue, 'dryRun', () => taking.promise);
  const { job, began, end } = scriptedJob('a');
  queue.add(job);
  expect(queue.status()).toEqual({
    running: expect.any(String),
    queued: 1,
    holder: { kind: 'dryRun', forS: 0 },
  });
  taking.resolve('done');
  expect(await taken).toBe('done');
  await began;
  await expect(takeMachine(queue, 'dryRun', async () => {})).rejects.toMatchObject({
    problem: { code: 'machine_busy', detail: 'A dry run would disturb the current run.' },
  });
  end();
});
