/** Protects the limit of our own questions: no server makes one wait longer, and nothing stays open. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { HttpVersion } from '../../../shared/base/transport.ts';
import { askOnce, dial, Line, NoAnswer, withDeadline } from './ask.ts';

const ok = 'HTTP/1.1 200 OK\r\n';

/** A server that does this with what it is sent first. */
async function serve(act: (socket: Socket) => unknown) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = { address: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: null };
  return { place, sockets, close: () => server.close() };
}

async function ask(
  act: (socket: Socket) => unknown,
  { version = '1.1' as HttpVersion, whole = true, limitMs = 300 } = {},
) {
  const { place, sockets, close } = await serve(act);
  let body = '';
  const onBody = (chunk: Buffer) => {
    body += chunk.toString('latin1');
  };
  try {
    const options = { limitMs, ...(whole ? { onBody } : {}) };
    return { ...(await askOnce({ ...place, version }, { path: '/' }, options)), body };
  } finally {
    close();
    await expect.poll(() => sockets.size).toBe(0);
  }
}

async function failure(...asked: Parameters<typeof ask>): Promise<NoAnswer> {
  const error = await ask(...asked).then(
    ({ status }) => new Error(`It got ${status}.`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NoAnswer)) throw error;
  return error;
}

const often = (text: string, everyMs: number) => (socket: Socket) => {
  const writing = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(writing));
};
const flood = (text: string) => (socket: Socket) => {
  const block = text.repeat(1000);
  const write = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', write);
  write();
};

test('an answer is one, whatever its framing', async () => {
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n';
  for (const rest of ['Content-Length: 5\r\n\r\nabcde', chunked, '\r\nabcde']) {
    const reply = await ask((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}${rest}`));
    expect(reply).toMatchObject({ status: 200, body: 'abcde', bodyBytes: 5, httpVersion: '1.1' });
  }
  expect(await ask((socket) => socket.end('HTTP/1.0 204 No Content\n\n'))).toMatchObject({
    httpVersion: '1.0',
  });
});

test('fields that come twice are joined, cookies are kept apart, and a type counts once', async () => {
  const head =
    'Set-Cookie: a=1, 2\r\nSet-Cookie: b=3\r\nVary: a\r\nVary: b\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n';
  const { headers, setCookies } = await ask((socket) => socket.end(`${ok}${head}Content-Length: 0\r\n\r\n`));
  expect(setCookies).toEqual(['a=1, 2', 'b=3']);
  expect(headers).toMatchObject({ vary: 'a, b', 'content-type': 'a/b' });
});

test('the head alone is not made to wait for a body', async () => {
  const drip = (socket: Socket) => {
    socket.write(`${ok}Content-Length: 1000\r\n\r\n`);
    often('.', 50)(socket);
  };
  expect(await ask(drip, { whole: false })).toMatchObject({ status: 200 });
});

test.each<[string, (socket: Socket) => unknown, NoAnswer['why'], RegExp]>([
  ['says nothing', () => {}, 'late', /^did not answer within 0\.3 s$/],
  ['answers 101', (to) => to.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'switched', /101/],
  [
    'upgrades',
    (to) => to.write('HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    'switched',
    /101/,
  ],
  ['drips interim responses', often('HTTP/1.1 103 Early Hints\r\n\r\n', 20), 'late', /did not answer/],
  ['floods with interim responses', flood('HTTP/1.1 103 Early Hints\r\n\r\n'), 'malformed', /floods/],
  ['drips its head', often('H', 20), 'malformed', /not valid HTTP/],
  [
    'drips a head without end',
    (to) => often(`${to.write(ok) ? 'a' : ''}: b\r\n`, 20)(to),
    'late',
    /did not answer/,
  ],
  ['has a head without end', flood(`${ok}X-Long: aaaaaaaaaaaaaaaa\r\n`), 'malformed', /256 KiB/],
  [
    'drips its body',
    (to) => often('.', 20)(to.write(`${ok}\r\n`) ? to : to),
    'late',
    /did not finish its answer/,
  ],
  [
    'has trailers without end',
    (to) => to.write(`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`) && flood('X-Trailer: 1\r\n')(to),
    'malformed',
    /invalid response|floods/,
  ],
  [
    'answers twice',
    (to) => to.write(`${ok}Content-Length: 0\r\n\r\n`.repeat(2)),
    'malformed',
    /after the end/,
  ],
  ['adds bytes', (to) => to.write(`${ok}Content-Length: 1\r\n\r\nab`), 'malformed', /after the end/],
  ['closes before its answer', (to) => to.end(), 'closed', /^closed the connection before it answered$/],
  ['closes in its head', (to) => to.end(ok), 'closed', /before it answered/],
  ['closes in its body', (to) => to.end(`${ok}Content-Length: 9\r\n\r\nab`), 'closed', /in the middle/],
  ['resets', (to) => to.resetAndDestroy(), 'reset', /^reset the connection$/],
])('a server that %s is given up with the reason', async (_, act, why, says) => {
  const error = await failure(act, { limitMs: why === 'late' ? 300 : 5000 });
  expect(error).toMatchObject({ why, message: expect.stringMatching(says) });
});

const preface = Buffer.from('000000040000000000', 'hex');
const frame = (type: number, flags: number, stream: number, payload = '') => {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes.writeUInt8(type, 3);
  bytes.writeUInt8(flags, 4);
  bytes.writeUInt32BE(stream, 5);
  bytes.write(payload, 9, 'latin1');
  return bytes.toString('latin1');
};

test.each<[string, string, RegExp]>([
  ['DATA without content', frame(0, 0, 1), /invalid response|floods/],
  ['HEADERS without end', frame(1, 0, 1, '\x88'), /invalid response|floods/],
  ['PRIORITY', frame(2, 0, 1, '\0\0\0\0\0'), /floods/],
  ['RST_STREAM', frame(3, 0, 3, '\0\0\0\0'), /floods/],
  ['SETTINGS', frame(4, 0, 0, '\0\x05\0\0\x40\0'), /floods/],
  ['PUSH_PROMISE', frame(5, 4, 1, '\0\0\0\x02'), /invalid response/],
  ['PING', frame(6, 0, 0, '12345678'), /floods/],
  ['GOAWAY', frame(7, 0, 0, '\x7f\xff\xff\xff\0\0\0\0'), /floods/],
  ['WINDOW_UPDATE', frame(8, 0, 0, '\0\0\0\x01'), /floods|invalid response/],
  ['CONTINUATION', frame(9, 0, 1, '\x88'), /invalid response/],
  ['unknown frames', frame(99, 0, 1, 'abc'), /floods/],
])('a server that floods over HTTP/2 with %s is given up', async (_, text, says) => {
  const block = Buffer.from(text.repeat(2000), 'latin1');
  const error = await failure(
    (socket) => {
      socket.write(preface);
      const write = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', write);
      write();
    },
    { version: '2', limitMs: 5000 },
  );
  expect(error.message).toMatch(says);
});

test('a server that speaks HTTP/1.1 alone is said not to speak HTTP/2', async () => {
  const error = await failure((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), {
    version: '2',
  });
  expect(error).toMatchObject({ why: 'other-protocol', message: 'does not speak HTTP/2' });
});

test('a connection is used again, but not after it said something unasked', async () => {
  let asked = 0;
  const { place, close } = await serve((socket) => {
    const answer = () => socket.write(`${ok}Content-Length: 1\r\n\r\n${++asked}`);
    answer();
    socket.on('data', answer);
  });
  await withDeadline(2000, undefined, async (hold) => {
    const line = new Line(await dial(place, hold), '1.1', { scheme: 'http', host: 'x' });
    const question = { method: 'GET', path: '/', headers: [], body: null };
    await line.ask(question, { hold });
    await line.ask(question, { hold });
    expect([asked, line.isOpen]).toEqual([2, true]);
    line.destroy();
    expect(line.isOpen).toBe(false);
  });
  close();
});

test('work that never settles is over at its limit, and what it dialed is destroyed', async () => {
  const { place, sockets, close } = await serve(() => {});
  const never = withDeadline(300, undefined, async (hold) => {
    await dial(place, hold);
    await expect.poll(() => sockets.size).toBe(1);
    return new Promise<never>(() => {});
  });
  await expect(never).rejects.toMatchObject({ why: 'late' });
  await expect.poll(() => sockets.size).toBe(0);
  close();
});

test('an aborted signal ends a question with its own reason', async () => {
  const { place, close } = await serve(() => {});
  const signal = AbortSignal.timeout(50);
  const reason = await askOnce(place, { path: '/' }, { limitMs: 5000, signal }).catch((error) => error);
  expect(reason).toBe(signal.reason);
  close();
});

test('what a taker of the body throws is what the question rejects with', async () => {
  const { place, close } = await serve((socket) => socket.write(`${ok}Content-Length: 1\r\n\r\na`));
  const full = new Error('it is full');
  const onBody = () => {
    throw full;
  };
  await expect(askOnce(place, { path: '/' }, { limitMs: 5000, onBody })).rejects.toBe(full);
  close();
});
