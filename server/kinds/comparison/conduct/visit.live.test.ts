/** Protects the verdict from the browser: it is there before the visit, and whatever becomes of that changes nothing of it. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { MeasurementEvent } from '../../../../shared/results/kinds.ts';
import { headlineOfRun } from '../../../../shared/words/headline.ts';
import { chromiumInTest } from '../../../testing/chromium-in-test.ts';
import { hangingProgram } from '../../../testing/hanging-program.ts';
import { openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';
import { shortenRuns } from '../../../testing/shorten-runs.ts';

let restore: () => void;
beforeAll(() => {
  restore = shortenRuns({ launches: { minimum: 1, maximum: 1 } });
});
afterAll(() => restore());

let server: ServerInTest;
const program = hangingProgram();
afterEach(() => server.close());
afterAll(() => program.remove());

type Told = { events: MeasurementEvent[]; measured: RunDocument; betweenMs: number; ended: RunDocument };

/** @param onMeasured called when the verdict is ready */
async function measure(onMeasured: (id: string) => Promise<void> = async () => {}): Promise<Told> {
  const { id } = await server.create();
  const events: MeasurementEvent[] = [];
  let measured: RunDocument | null = null;
  let fromMs = 0;
  for await (const event of server.api.events(id)) {
    events.push(event);
    if (event.type !== 'measured') continue;
    fromMs = performance.now();
    measured = await server.document(id);
    await onMeasured(id);
  }
  if (measured === null) throw new Error('it told of no verdict');
  return { events, measured, betweenMs: performance.now() - fromMs, ended: await server.document(id) };
}

const withoutCache = ({ cache: _, ...document }: RunDocument) => document;

test('the verdict comes before the visit, and nothing but the cache section differs at the end', async () => {
  server = await openServerInTest(undefined, { chromiumPath: chromiumInTest });
  const { events, measured, ended } = await measure(async (id) => {
    // The machine stays reserved, so a list, a batch or a schedule waits.
    const list = await (await fetch(`${server.url}/api/v1/measurements`)).json();
    expect(list).toMatchObject({ measurements: [{ id, state: 'running' }] });
    expect(await (await fetch(`${server.url}/api/v1/health`)).json()).toMatchObject({ running: id });
  });
  expect(events.filter(({ type }) => ['measured', 'end'].includes(type))).toEqual([
    { type: 'measured', state: 'finished', headline: headlineOfRun(ended) },
    { type: 'end', state: 'finished' },
  ]);
  expect(measured.cache).toEqual({
    ...{ baseline: null, comparison: null, underWay: true },
    findings: ['A browser is visiting the pages of both sides.'],
  });
  expect(ended.cache.underWay).toBeUndefined();
  // A machine that others keep busy may not get through in its time.
  const [finding = ''] = ended.cache.findings;
  if (!/could not be finished in 8 s/.test(finding))
    expect(ended.cache.baseline?.warm.fromCache, finding).toBeGreaterThan(0);
  expect(withoutCache(measured)).toEqual(withoutCache(ended));
});

test('a browser that hangs is killed, and costs the cache section alone', async () => {
  server = await openServerInTest(undefined, { chromiumPath: program.path });
  const { measured, betweenMs, ended } = await measure(async () => {
    await vi.waitFor(() => expect(program.isAlive()).toBe(true), { timeout: 5000 });
  });
  expect(betweenMs).toBeLessThan(12_000);
  expect(program.isAlive()).toBe(false);
  expect(ended).toMatchObject({ state: 'finished', problem: null });
  expect(ended.cache.findings).toEqual([expect.stringMatching(/could not be finished in 8 s/)]);
  expect(withoutCache(measured)).toEqual(withoutCache(ended));
});

test.each([
  ['canceled', (id: string) => server.cancel(id, true)],
  [
    'stopped with all load',
    async () =>
      void (await fetch(`${server.url}/api/v1/stop`, { method: 'POST', headers: { Origin: server.url } })),
  ],
])('a run that is %s during the visit has finished', async (_, end) => {
  server = await openServerInTest(undefined, { chromiumPath: program.path });
  const { betweenMs, ended } = await measure(async (id) => {
    await vi.waitFor(() => expect(program.isAlive()).toBe(true), { timeout: 5000 });
    await end(id);
  });
  expect(betweenMs).toBeLessThan(6000);
  expect(program.isAlive()).toBe(false);
  expect(ended).toMatchObject({ state: 'finished', problem: null });
  expect(ended.cache.findings).toEqual([expect.stringMatching(/^The run was ended during/)]);
});
