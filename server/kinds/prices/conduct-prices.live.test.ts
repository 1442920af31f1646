/** Protects a price list against a real nginx: what must cost more does, an own server is asked in part, and nothing is left behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { columnValues, type PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import { page, passTo, startNginx } from '../../bench/field-scenes.ts';
import { openPlace } from '../../bench/open-place.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { startForeignApplication } from '../../testing/foreign-application.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { conductPrices } from './conduct-prices.ts';
import { prices } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-prices-'));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

/** Rounds that are not about their length. */
const inBrief: typeof prices = {
  ...prices,
  conduct: (task, watch, house) =>
    conductPrices(task, watch, house, { rounds: 3, warmUpMs: 1, processes: 1 }),
};

function list(request: object): Promise<PricesDocument> {
  return conductAlone(
    inBrief,
    { kind: 'prices', seconds: 10, ...request },
    {
      house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
      environment: describeEnvironment('test', true),
    },
  );
}

const itemsById = ({ items }: PricesDocument) => new Map(items.map((item) => [item.id, item]));

test.skipIf(!hasNginx)(
  'a handshake costs more than a resumed one, that more than TCP, and a large body more than a small one',
  async () => {
    const document = await list({ memory: true });
    expect(document.rounds).toHaveLength(3);
    const items = itemsById(document);
    const connection = items.get('connection');
    const resumed = items.get('resumed_connection');
    expect(connection?.comparison?.center).toBeGreaterThan(
      resumed?.comparison?.center ?? Number.POSITIVE_INFINITY,
    );
    expect(resumed?.comparison?.lo).toBeGreaterThan(connection?.baseline?.hi ?? Number.POSITIVE_INFINITY);
    expect(items.get('body_1000000')?.difference?.lo).toBeGreaterThan(0);
    // A record has a header of 5 bytes, a tag of 16, and a byte for its type (RFC 8446, section 5.2).
    expect(items.get('record_bytes')).toMatchObject({ baseline: { center: 0 }, comparison: { center: 22 } });
    expect(items.get('connection_bytes')?.difference?.center).toBeGreaterThan(1500);
    // Headers are compressed in a stream.
    expect(items.get('stream')?.comparison?.center).toBeGreaterThan(0);
    expect(items.get('stream_bytes')?.comparison?.center).toBeLessThan(
      items.get('request_bytes')?.comparison?.center ?? 0,
    );
    expect(document.memory?.map(({ steps }) => steps.map(({ connections }) => connections))).toEqual([
      [0, 250, 500, 1000, 2000],
      [0, 250, 500, 1000, 2000],
    ]);
    expect(items.get('memory')?.difference?.center).toBeGreaterThan(5000);
  },
);

test.skipIf(!hasNginx)(
  'parts of a document are the sizes of an own server, as far as it reaches',
  async () => {
    const items = itemsById(await listOwn({ document: '/index.html' }));
    expect(items.get('stream')?.missing).toBe('The server does not speak HTTP/2.');
    expect(items.get('body_16000')?.comparison?.center).toBeTypeOf('number');
    expect(items.get('body_64000')).toMatchObject({
      comparison: null,
      missing: expect.stringMatching(/20000 bytes instead of 64000/),
    });
    expect(items.get('connection')?.comparison?.center).toBeGreaterThan(0);
  },
);

async function listOwn(request: object): Promise<PricesDocument> {
  const authority = await openAuthority(join(dataDirectory, 'authority'));
  const { httpPort, httpsPort, stop } = await startNginxInTest(authority, ['http', 'https']);
  onTestFinished(stop);
  const target = {
    ...{ kind: 'origins', ca: authority.caPem },
    ...{ http: `http://127.0.0.1:${httpPort}`, https: `https://127.0.0.1:${httpsPort}` },
  };
  return list({ target, ...request });
}

test.skipIf(!hasNginx)('a document that is not there ends the list in a sentence', async () => {
  await expect(listOwn({ document: '/missing.mp4' })).rejects.toThrow(
    /smallest request cannot be measured.*404/,
  );
});

test.skipIf(!hasNginx)(
  'a server without sessions has no price of a resumed connection, and one that closes them soon opens more',
  async () => {
    const document = await listScene(`ssl_session_tickets off; keepalive_requests 20; ${page}`);
    const items = itemsById(document);
    expect(items.get('resumed_connection')).toMatchObject({
      comparison: null,
      missing: expect.stringMatching(/resumed 0 of \d+ sessions/),
    });
    expect(items.get('connection')?.comparison?.center).toBeGreaterThan(0);
    const isKept = ({ id }: { id: string }) => id === 'comparison page kept';
    const kept = document.rounds.flatMap(({ cells }) => cells.filter(isKept));
    const share = sumOf(kept.map((each) => each.connections)) / sumOf(kept.map((each) => each.requests));
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.1);
  },
);

/** @param location in nginx's words */
async function listScene(location: string): Promise<PricesDocument> {
  const place = await openPlace();
  onTestFinished(place.close);
  const { http, https } = await startNginx(place, location);
  const target = {
    ...{ kind: 'origins', ca: place.authority.caPem },
    ...{ http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
  };
  return list({ target });
}

test.skipIf(!hasNginx)('a price contains the CPU of the application behind the server', async () => {
  const document = await listScene(passTo(await startForeignApplication()));
  expect(document.programs).toEqual(['nginx', 'node']);
  // Most of a request is hashing 400 kB.
  expect(itemsById(document).get('request')?.baseline?.center).toBeGreaterThan(150);
});

test.skipIf(!hasNginx)(
  'connections have a price for each key, and a key that the server lacks has its reason',
  async () => {
    const { byColumn } = await list({ columns: ['key'] });
    const byValue = new Map(byColumn?.map((each) => [each.value, each]));
    expect([...byValue.keys()]).toEqual(columnValues.key);
    const [ecdsa, rsa, mldsa] = columnValues.key.map((key) => byValue.get(key));
    expect(rsa?.full?.center).toBeGreaterThan(ecdsa?.full?.center ?? Number.POSITIVE_INFINITY);
    expect(ecdsa?.resumed?.center).toBeGreaterThan(0);
    expect(mldsa?.full ?? mldsa?.missing).not.toBeNull();
  },
);
