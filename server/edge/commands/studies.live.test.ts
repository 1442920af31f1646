/** Protects the studies: an example decides claims until a measurement does, two who start it at once make one, and an interruption loses nothing. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { studyEndpoints } from '../../../shared/api/session-endpoints.ts';
import type { StudyMeasurementName } from '../../../shared/studies/study-plan.ts';
import { missingOf } from '../../../shared/studies/study-report.ts';
import { patienceMs } from '../../testing/patience.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { isEnd, openServerInTest, type ServerInTest } from '../../testing/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await openServerInTest();
});
afterEach(endPrograms);
afterAll(() => server.close());

async function planned(name: StudyMeasurementName) {
  const { measurements } = await server.api.call(studyEndpoints.showStudies);
  const found = measurements.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} is not planned`);
  return found;
}

async function rowOf(id: string) {
  const { rows } = await server.api.call(studyEndpoints.showStudies);
  return rows.find((row) => row.id === id);
}

test('its page has an address of its own', async () => {
  const { status } = await fetch(`${server.url}/studies`);
  // 503 where nobody built the client.
  expect([200, 503]).toContain(status);
});

test('two who start a measurement make one; it decides its rows until it is deleted, and again once it is restored', async () => {
  const { request, key, measured: example } = await planned('handshakes');
  const before = await rowOf('rustls-openssl-ecdsa');
  expect(example).toMatchObject({ isExample: true, cores: expect.any(Number) });
  expect(before).toMatchObject({ url: example?.url, now: { value: expect.anything() } });
  const read = await fetch(`${server.url}${example?.url}.json`);
  expect(await read.json()).toMatchObject({ id: example?.id, kind: 'handshakes' });
  const all = await server.api.call(studyEndpoints.showStudies);
  expect(missingOf(all.measurements, false).map(({ name }) => name)).toContain('handshakes');
  const start = () =>
    server.api.call(measurementEndpoints.createMeasurement, {
      body: request,
      headers: { 'idempotency-key': key },
    });
  const [{ id, url, deleteToken }, other] = await Promise.all([start(), start()]);
  expect(other.id).toBe(id);
  await server.until(id, isEnd);

  expect(await planned('handshakes')).toMatchObject({
    ...{ measured: { id, url, isExample: false }, going: null, resumes: null },
  });
  const row = await rowOf('rustls-openssl-ecdsa');
  const value = row?.now?.value ?? { center: 0, lo: 0, hi: 0 };
  const holds = value.lo >= 0.9 * 3177 && value.hi <= 1.1 * 3177;
  const noLonger = value.hi < 0.9 * 3177 || value.lo > 1.1 * 3177;
  expect(value.center).toBeGreaterThan(0);
  expect(row).toMatchObject({ url, word: holds ? 'holds' : noLonger ? 'no longer' : 'not decided' });

  const params = { id };
  const headers = { 'x-delete-token': deleteToken ?? '' };
  await server.api.call(measurementEndpoints.deleteMeasurement, { params, query: {}, headers });
  expect(await rowOf('rustls-openssl-ecdsa')).toEqual(before);
  // A new start must not use the result in the bin.
  expect((await planned('handshakes')).key).not.toBe(key);
  await server.api.call(measurementEndpoints.restoreMeasurement, { params, headers });
  expect(await rowOf('rustls-openssl-ecdsa')).toEqual(row);
});

test('interrupted, the command prints what is there, and its next measurement is known to be missing', async () => {
  const program = startProgram('server/edge/cli.ts', ['studies'], { TLS_TOLL_DATA: server.directory });
  const going = await vi.waitFor(
    async () => {
      const { going: now } = await planned('storefront');
      if (now === null) throw new Error('nothing is on its way');
      return now;
    },
    { timeout: patienceMs },
  );
  await server.until(going.id, ({ type }) => type === 'progress');
  program.kill('SIGINT');
  expect(await program.ended).toBe(1);
  expect(program.stderr()).toMatch(/^(Skipped: .*\n)*1?\d runs are missing: about 1\d minutes/);
  expect(program.stderr()).toContain('Interrupted. What was measured stays; the same command goes on');
  expect(program.stdout()).toMatch(/^Of 2\d\d claims about the cost of TLS: /);
  expect(await planned('storefront')).toMatchObject({ measured: { isExample: true }, going: null });
});
