/** Protects bills over HTTP: by the price list that comes with the program, and refused at the field that is wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { type TrafficRequestInput, trafficBillSchema } from '../../../shared/kinds/prices/traffic.ts';
import { createdMeasurementSchema } from '../../../shared/measurement/measurement.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let example: string;
beforeAll(async () => {
  server = await openTestServer();
  const { examples } = JSON.parse((await server.send('/api/v1/examples')).text);
  example = examples.find(({ name }: { name: string }) => name === 'prices').id;
});
afterAll(() => server.close());

function post(path: string, body: unknown) {
  return server.send(`/api/v1/measurements${path}`, {
    method: 'POST',
    body,
    headers: { origin: server.origin },
  });
}

async function rejection(path: string, body: unknown) {
  const reply = await post(path, body);
  expect(reply.status).toBe(400);
  return problemSchema.parse(JSON.parse(reply.text));
}

test('a traffic is priced by the example, and twice as much needs twice the cores', async () => {
  const coresOf = async (request: TrafficRequestInput) => {
    const reply = await post(`/${example}/traffic-bill`, request);
    expect(reply.status, reply.text).toBe(200);
    const { rows, list } = trafficBillSchema.parse(JSON.parse(reply.text));
    expect(list.id).toBe(example);
    return rows.find(({ id }) => id === 'cores')?.added?.center ?? Number.NaN;
  };
  const once = await coresOf({});
  expect(once).toBeGreaterThan(0);
  expect(await coresOf({ traffic: { requestsPerS: 2000 } })).toBeCloseTo(2 * once);
});

test('a bill by a measurement of another kind is refused', async () => {
  // With this seed the stand-in ends by itself.
  const created = await post('', { kind: 'handshakes', seed: 1 });
  const { id, eventsUrl } = createdMeasurementSchema.parse(JSON.parse(created.text));
  await server.send(eventsUrl);
  for (const path of ['bill', 'traffic-bill'])
    expect(await rejection(`/${id}/${path}`, {})).toMatchObject({
      ...{ code: 'invalid_request', errors: [{ field: 'id' }] },
    });
});

test.each<[field: string, body: unknown]>([
  ['traffic.requestsPerS', { traffic: { requestsPerS: 0 } }],
  ['traffic.requestsPerS', { traffic: { requestsPerS: 1e9 } }],
  ['traffic.returningShare', { traffic: { returningShare: 1.01 } }],
  ['traffic.sizes', { traffic: { sizes: '2 kB 80%' } }],
  ['traffic.sizes', { traffic: { sizes: [{ bytes: 1, share: 2 }] } }],
  ['traffic.colour', { traffic: { colour: 'red' } }],
  ['prices.egressGb', { prices: { egressGb: -1 } }],
])('%s is refused in %j', async (field, body) => {
  const { errors } = await rejection(`/${example}/traffic-bill`, body);
  expect(errors?.map((error) => error.field)).toContain(field);
});
