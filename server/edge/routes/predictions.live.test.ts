/** Protects which runs a price list is compared with at the API: later ones of the same server, on the same machine, and no others. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { predictionsSchema } from '../../../shared/kinds/prices/predictions.ts';
import { type PricesDocument, pricesDocumentSchema } from '../../../shared/kinds/prices/prices.ts';
import { prices } from '../../kinds/prices/kind.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

const golden = new URL('../../life/database/golden/prices-v1.json', import.meta.url);
const list: PricesDocument = pricesDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await storeEnded(server.database, prices as never, list);
});
afterAll(() => server.close());

const sample = sampleRun({ launches: 2, epochs: 1 });
const { request, environment, negotiated } = list;
if (request.target.kind !== 'managed') throw new Error('the golden list is not what it was');
const { target } = request;
/** Its transaction is that of the sample, which uploads. */
const ofServer = {
  ...{ environment, target, server: list.server, createdAt: list.createdAt + 1000 },
  tls: { ...sample.tls, comparison: { ...sample.tls.comparison, negotiated } },
};

const read = async (id: string) => server.send(`/api/v1/measurements/${id}/predictions`);
const found = async () => predictionsSchema.parse(JSON.parse((await read(list.id)).text));

test('a later run of the same server stands beside the list, the others are counted, and an earlier one is not looked at', async () => {
  expect(await found()).toEqual({ runs: [], leftOut: [], others: 0, suspect: null });
  await server.storeRun({ ...ofServer, createdAt: list.createdAt - 1000 });
  const { id } = await server.storeRun(ofServer);
  await server.storeRun({ ...ofServer, environment: { ...environment, kernel: '6.1.1' } });
  await server.storeRun({ ...ofServer, target: { ...target, key: 'RSA-2048' } });
  await server.storeRun({ ...ofServer, tls: sample.tls });
  // The size of its document is no matter of the server.
  const other = await server.storeRun({ ...ofServer, target: { ...target, documents: [2000] } });
  const { runs, leftOut, others } = await found();
  expect(runs).toEqual([]);
  expect(leftOut.map((each) => each.id).toSorted()).toEqual([id, other.id].toSorted());
  expect(leftOut[0]?.reason).toMatch(/POST requests/);
  expect(others).toBe(3);
});

test('only a price list predicts', async () => {
  const { id } = await server.storeRun();
  const { status, text } = await read(id);
  expect(status).toBe(404);
  expect(text).toMatch(/Only price lists predict runs/);
});
