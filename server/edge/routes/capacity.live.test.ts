/** Protects capacity plans over HTTP: from typical, pasted and measured figures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import {
  type CapacityRequestInput,
  capacityReportSchema,
} from '../../../shared/kinds/comparison/capacity.ts';
import { createdMeasurementSchema } from '../../../shared/measurement/measurement.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function post(path: string, body: unknown) {
  return server.send(path, { method: 'POST', body, headers: { origin: server.origin } });
}

async function plan(request: CapacityRequestInput) {
  const reply = await post('/api/v1/capacity', request);
  expect(reply.status, reply.text).toBe(200);
  return capacityReportSchema.parse(JSON.parse(reply.text));
}

async function rejection(path: string, body: unknown) {
  const reply = await post(path, body);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.status).toBeLessThan(500);
  return problemSchema.parse(JSON.parse(reply.text));
}

test('an empty request is a plan of typical figures, and a pasted figure goes before them', async () => {
  const typical = await plan({});
  expect(typical.figures.every(({ source }) => source === 'typical')).toBe(true);
  const own = await plan({ figures: { own: { requestUs: { center: 500, lo: 400, hi: 650 } } } });
  expect(own.coresWith.center).toBeCloseTo(typical.coresWith.center);
  expect(own.coresWith.hi - own.coresWith.center).toBeCloseTo((2000 * 150) / 1e6 / 0.7);
});

test('a figure of a measurement that is not there, not over or of another kind is refused with its field', async () => {
  const nowhere = 'a'.repeat(22);
  expect(await rejection('/api/v1/capacity', { figures: { handshakes: nowhere } })).toMatchObject({
    code: 'run_not_found',
  });
  expect(await rejection('/api/v1/capacity', { figures: { comparison: nowhere } })).toMatchObject({
    code: 'run_not_found',
  });
  // With this seed the stand-in ends by itself.
  const created = await post('/api/v1/measurements', { kind: 'handshakes', seed: 1 });
  const { id, eventsUrl } = createdMeasurementSchema.parse(JSON.parse(created.text));
  await server.send(eventsUrl);
  expect((await plan({ figures: { handshakes: id } })).headline.title).toMatch(/^At .+ HTTPS needs .+ more$/);
  expect(await rejection('/api/v1/capacity', { figures: { speed: id } })).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'figures.speed' }],
  });
  expect(await rejection(`/api/v1/measurements/${id}/bill`, {})).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'id' }],
  });
});

test.each<[field: string, body: unknown]>([
  ['load.visitsPerS', { load: { visitsPerS: 0 } }],
  ['load.key', { load: { key: 'RSA-2049' } }],
  ['load.utilisation', { load: { utilisation: 1.1 } }],
  ['load.group', { load: { version: 'TLSv1.2', group: 'X25519MLKEM768' } }],
  ['load.colour', { load: { colour: 'red' } }],
  ['figures.own.fullUs', { figures: { own: { fullUs: -1 } } }],
  ['figures.own.fullUs', { figures: { own: { fullUs: { center: 1, lo: 2, hi: 3 } } } }],
  ['prices.egressGb', { prices: { egressGb: -1 } }],
])('%s is refused in %j', async (field, body) => {
  const { errors } = await rejection('/api/v1/capacity', body);
  expect(errors?.map((error) => error.field)).toContain(field);
});
