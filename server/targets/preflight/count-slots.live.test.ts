/** Protects the count of connections that a server answers at a time: one with too few workers, and one that is only slow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import { capsSchema, type Listener } from '../../../shared/target/target.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { httpAt, httpsAt, listen, page, serveHttp, serveHttps } from '../../testing/preflight-in-test.ts';
import { openAuthority } from '../certificates/certificate-authority.ts';
import { countSlots } from './count-slots.ts';

/** Workers that each keep to one connection until it is closed, as a prefork server’s do. The others wait in a queue. */
class Workers {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  inFrontOf(port: number): Server {
    return createServer({ allowHalfOpen: false }, (client) => {
      client.on('error', () => client.destroy());
      const serve = () => {
        if (client.destroyed) return this.#leave();
        const server = connect(port, '127.0.0.1');
        pipeline(client, server, client, () => this.#leave());
      };
      if (this.#free > 0) {
        this.#free--;
        serve();
      } else this.#queue.push(serve);
    });
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

async function slotsOf(listeners: Record<string, Listener>, connections = 8) {
  return countSlots({
    ...{
      listeners,
      connections,
      scenario: pathScenario(['/']),
      tls: { ...defaultTlsProfile, verify: false },
    },
    signal: AbortSignal.timeout(20_000),
  });
}

test.each([1, 4])('%i workers for both sides answer as many connections', async (count) => {
  const workers = new Workers(count);
  const http = httpAt(await listen(workers.inFrontOf(await serveHttp())));
  const https = httpsAt(await listen(workers.inFrontOf(await serveHttps())));
  const fromMs = performance.now();
  const slots = await slotsOf({ baseline: http, comparison: https, twin: http });
  expect(Object.values(slots ?? {}).reduce((sum, each) => sum + each, 0)).toBe(count);
  expect(performance.now() - fromMs).toBeLessThan(5000);
});

test('of workers on one side alone that side is told', async () => {
  const https = httpsAt(await listen(new Workers(2).inFrontOf(await serveHttps())));
  expect(await slotsOf({ baseline: httpAt(await serveHttp()), comparison: https })).toEqual({
    ...{ baseline: 8, comparison: 2 },
  });
});

test.each([
  ['here', undefined, { own: 16, other: 8 }],
  ['on a host that permits 12 connections', 12, { own: 8, other: 4 }],
])('a side that is its own twin gets twice the connections of the other side %s', async (_, most, opened) => {
  const counted = async () => {
    let open = 0;
    const server = createServer((client) => {
      open++;
      client.on('error', () => client.destroy());
      client.on('data', () => client.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'));
    });
    const caps = capsSchema.parse(most === undefined ? {} : { connections: most });
    const permitted = most === undefined ? {} : { permit: { host: '127.0.0.1', caps } };
    const listener: Listener = { ...httpAt(await listen(server)), ...permitted };
    return { listener, opened: () => open };
  };
  const [own, other] = [await counted(), await counted()];
  const listeners = { baseline: own.listener, comparison: other.listener, twin: own.listener };
  expect(await slotsOf(listeners, 8)).toBeNull();
  expect({ own: own.opened(), other: other.opened() }).toEqual(opened);
});

test('a server that closes connections without a word to have room for others answers fewer', async () => {
  const idle: Socket[] = [];
  let opened = 0;
  const draining = createServer((client) => {
    const isFull = ++opened > 3;
    client.on('error', () => client.destroy());
    client.on('data', () => {
      const answer = () => {
        client.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage');
        idle.push(client);
      };
      if (isFull) idle.shift()?.end(answer);
      else answer();
    });
  });
  expect(await slotsOf({ baseline: httpAt(await listen(draining)) })).toEqual({ baseline: 3 });
});

test.runIf(hasNginx)(
  'nginx with 64 connections answers fewer than 63 over TLS, which drops handshakes too',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tls-toll-slots-'));
    const nginx = await startNginxInTest(await openAuthority(directory), ['https'], { connections: 64 });
    onTestFinished(async () => {
      await nginx.stop();
      rmSync(directory, { recursive: true });
    });
    const https = httpsAt(nginx.httpsPort);
    const slots = await slotsOf({ baseline: https, comparison: https }, 100);
    const served = Object.values(slots ?? {}).reduce((sum, each) => sum + each, 0);
    expect(served).toBeGreaterThan(40);
    expect(served).toBeLessThan(63);
  },
);

test('a server that is slow, or says that it closes, has no fixed number', async () => {
  let busy = Promise.resolve();
  const slow = await serveHttp((request, response) => {
    // One request after another, as a single thread computes.
    busy = busy.then(() => new Promise((resolve) => setTimeout(resolve, 150)));
    void busy.then(() => page('slow')(request, response));
  });
  expect(await slotsOf({ baseline: httpAt(slow) })).toBeNull();
  const closing = await serveHttp((_, response) => response.setHeader('connection', 'close').end('page'));
  expect(await slotsOf({ baseline: httpAt(closing) })).toBeNull();
  const stuck = await serveHttp(() => {});
  expect(await slotsOf({ baseline: httpAt(stuck) })).toBeNull();
});
