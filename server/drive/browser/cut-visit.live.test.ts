/** Protects visits from the machine's own network: an interface that comes, such as a container's, costs no visit. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { issueAuthority, issueServer } from '../../targets/certificates/issue-certificate.ts';
import { serveOrigin } from '../../testing/origin-under-test.ts';
import { findChromium } from './find-chromium.ts';
import { withVisitors } from './visitors.ts';

const device = 'toll-cut';
const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot || !existsSync('/dev/net/tun'))('a visit that is cut off is made again', async () => {
  const validity = {
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
  };
  const authority = await issueAuthority('Authority under test', validity);
  const identity = await issueServer(['127.0.0.1'], validity, authority);
  const origin = await serveOrigin('127.0.0.1', { cert: identity.certificatePem, key: identity.keyPem });
  const sockets: Socket[] = [];
  let held = false;
  // The browser's first handshake is never answered; meanwhile an interface comes.
  const front = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    if (sockets.length === 2) {
      held = true;
      ip('tuntap', 'add', device, 'mode', 'tun');
      ip('address', 'add', '192.0.2.77/32', 'dev', device);
      ip('link', 'set', device, 'up');
    } else socket.pipe(connect(origin.listener.port, '127.0.0.1').on('error', () => {})).pipe(socket);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const listener = { ...origin.listener, port, ca: authority.certificatePem };
  const started: string[] = [];
  try {
    const { cold, warm } = await withVisitors(
      findChromium(process.env) ?? '',
      [listener],
      new AbortController().signal,
      ({ visit }) =>
        visit(listener, (at) => [{ type: 'goto', line: null, page: 0, url: `${at}/more` }], {
          onAction: (pass) => started.push(pass),
        }),
    );
    expect(held).toBe(true);
    expect(started).toEqual(['cold', 'cold', 'warm']);
    expect(cold.requests).toBe(3);
    expect(warm.documents).toBe(1);
  } finally {
    if (held) ip('link', 'delete', device);
    for (const socket of sockets) socket.destroy();
    front.close();
    await origin.close();
  }
});
