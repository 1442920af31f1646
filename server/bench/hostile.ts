import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { parseSelector } from '../../shared/target/metric-selector.ts';
import { readServerHeader } from '../kinds/servers/conduct-servers.ts';
import { statusOf } from '../targets/managed/managed-server.ts';
import { findLocalServers } from '../targets/preflight/place-in-chain.ts';
import { Scraper } from '../targets/sampling/prometheus-readings.ts';
import { printTable } from './print-table.ts';
import { startMeasuredServer } from './test-server.ts';

/**
 * Misbehaving servers, asked by each part of the product that asks servers. Each cell ends within its deadline with a sentence, and
 * afterwards the machine is free.
 */

type Act = (socket: Socket) => unknown;
type Mode = { what: string; act: Act };
type Caller = {
  name: string;
  deadlineS: number;
  /** Cells that run concurrently. The dashboard checks a host one by one, and a dry run occupies the machine. */
  atOnce?: number;
  /** Tries only every nth mode. */
  oneOf?: number;
  ask(port: number): Promise<string>;
};
type Cell = { mode: string; caller: string; seconds: number; said: string; held: boolean };

const ok = 'HTTP/1.1 200 OK\r\n';
const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const say = (text: string | Buffer) => (socket: Socket) => void socket.write(text);
const end = (text: string) => (socket: Socket) => void socket.end(text);

const drip =
  (start: string, text: string): Act =>
  (socket) => {
    socket.write(start);
    const writing = setInterval(() => socket.write(text), 100);
    socket.once('close', () => clearInterval(writing));
  };

/** Writes as fast as the reader reads. */
const flood =
  (start: string | Buffer, text: string | Buffer): Act =>
  (socket) => {
    socket.write(start);
    const block = Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from(text)));
    const write = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', write);
    write();
  };

const http1: Mode[] = [
  { what: 'silence', act: () => {} },
  { what: '101', act: say('HTTP/1.1 101 Switching Protocols\r\n\r\n') },
  { what: '101 upgrade', act: say('HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n') },
  { what: '101, close', act: end('HTTP/1.1 101 Switching Protocols\r\n\r\n') },
  { what: '1xx drip', act: drip('', interim) },
  { what: '1xx flood', act: flood('', interim) },
  { what: '1xx, close', act: end(interim) },
  { what: 'head drip', act: drip(ok, 'a: b\r\n') },
  { what: 'head flood', act: flood(ok, 'a: b\r\n') },
  { what: 'header without end', act: flood(`${ok}a: `, 'bbbbbbbb') },
  { what: 'body drip', act: drip(`${ok}Content-Length: 100000\r\n\r\n`, '.') },
  { what: 'body without end', act: flood(`${ok}\r\n`, 'abcdefgh') },
  { what: 'chunk drip', act: drip(chunked, '1\r\na\r\n') },
  { what: 'chunks without end', act: flood(chunked, '1\r\na\r\n') },
  { what: 'chunk extension without end', act: flood(`${chunked}1;`, 'abcdefgh') },
  { what: 'chunk of no size', act: say(`${chunked}zz\r\n`) },
  { what: 'chunk size of 2^60', act: say(`${chunked}1000000000000000\r\n`) },
  { what: 'trailers without end', act: flood(`${chunked}0\r\n`, 'a: b\r\n') },
  { what: 'trailer drip', act: drip(`${chunked}0\r\n`, 'a: b\r\n') },
  { what: 'two answers', act: say(`${ok}Content-Length: 0\r\n\r\n`.repeat(2)) },
  { what: 'bytes after', act: say(`${ok}Content-Length: 1\r\n\r\nab`) },
  { what: 'two lengths', act: say(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`) },
  { what: 'length and chunks', act: say(`${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na`) },
  { what: 'negative length', act: say(`${ok}Content-Length: -1\r\n\r\n`) },
  { what: 'length of 10^15', act: say(`${ok}Content-Length: 999999999999999\r\n\r\na`) },
  { what: 'close', act: end('') },
  { what: 'close in head', act: end(ok) },
  { what: 'close in body', act: end(`${ok}Content-Length: 9\r\n\r\nab`) },
  { what: 'half-close', act: (socket) => socket.end() },
  { what: 'reset', act: (socket) => socket.resetAndDestroy() },
  { what: 'another protocol', act: say('SSH-2.0-OpenSSH_9.6\r\n') },
  { what: 'zeros', act: say(Buffer.alloc(64)) },
  { what: 'zeros without end', act: flood('', Buffer.alloc(64)) },
  { what: 'TLS alert', act: say(Buffer.of(21, 3, 3, 0, 2, 2, 40)) },
  { what: 'TLS record drip', act: drip('\x16\x03\x03\x40\x00', '\x02') },
  { what: 'status 000', act: say('HTTP/1.1 000 No\r\n\r\n') },
  { what: 'status 999', act: say('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n') },
  { what: 'HTTP/9.9', act: say('HTTP/9.9 200 OK\r\n\r\n') },
  { what: 'endless redirect', act: say('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n') },
  { what: '401', act: say('HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n') },
  { what: '503', act: say('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n') },
];

/** A frame of HTTP/2. Source: RFC 9113, section 4.1. */
function frame(type: number, flags: number, stream: number, payload = ''): Buffer {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes.writeUInt8(type, 3);
  bytes.writeUInt8(flags, 4);
  bytes.writeUInt32BE(stream, 5);
  bytes.write(payload, 9, 'latin1');
  return bytes;
}

const settings = frame(4, 0, 0);
const floods: Mode[] = (
  [
    ['DATA', frame(0, 0, 1)],
    ['HEADERS', frame(1, 0, 1, '\x88')],
    ['PRIORITY', frame(2, 0, 1, '\0\0\0\0\0')],
    ['RST_STREAM', frame(3, 0, 3, '\0\0\0\0')],
    ['SETTINGS', frame(4, 0, 0, '\0\x05\0\0\x40\0')],
    ['PUSH_PROMISE', frame(5, 4, 1, '\0\0\0\x02')],
    ['PING', frame(6, 0, 0, '12345678')],
    ['GOAWAY', frame(7, 0, 0, '\x7f\xff\xff\xff\0\0\0\0')],
    ['WINDOW_UPDATE', frame(8, 0, 0, '\0\0\0\x01')],
    ['CONTINUATION', frame(9, 0, 1, '\x88')],
    ['unknown frames', frame(99, 0, 1, 'abc')],
  ] as const
).map(([what, bytes]) => ({ what: `HTTP/2 ${what}`, act: flood(settings, bytes) }));

const exporterAt = (port: number) => ({
  ...{ address: '127.0.0.1', hostname: 'localhost', path: '/metrics', secure: false, ca: null, port },
  ...{ bearer: false, name: 'the exporter', mostPerS: 10 },
  cpu: { selector: selectorOf('process_cpu_seconds_total'), text: 'process_cpu_seconds_total' },
  memory: { selector: selectorOf('process_resident_memory_bytes'), text: 'process_resident_memory_bytes' },
});

function selectorOf(text: string) {
  const selector = parseSelector(text);
  if (selector === null) throw new Error(`${text} is no selector`);
  return selector;
}

const here = (port: number) => ({ address: '127.0.0.1', hostname: 'localhost', port });
const asked = (transport: 'http' | 'https' | 'h2c') => (port: number) =>
  statusOf({ transport, address: '127.0.0.1', port }, '/').then((status) => `It answers ${status}.`);

/** Time beyond a caller's own limit, because the asking process also serves the floods. */
const slackS = 5;

const direct: Caller[] = [
  { name: 'local servers', deadlineS: 10, ask: async () => `It found ${(await findLocalServers()).length}.` },
  {
    name: 'server header',
    deadlineS: 5 + slackS,
    ask: async (port) => `“${await readServerHeader(here(port), '/', new AbortController().signal)}”.`,
  },
  { name: 'status', deadlineS: 2 + slackS, ask: asked('http') },
  { name: 'status over TLS', deadlineS: 2 + slackS, ask: asked('https') },
  { name: 'status over h2c', deadlineS: 2 + slackS, ask: asked('h2c') },
  {
    name: 'exporter',
    deadlineS: 5 + slackS,
    async ask(port) {
      const scraper = new Scraper(exporterAt(port), null);
      return scraper
        .read()
        .then(
          () => 'It has figures.',
          (error) => Promise.reject(error),
        )
        .finally(() => scraper.close());
    },
  },
];

/** Callers that ask through the dashboard, whose machine must be free afterwards. */
function throughDashboard(url: string): Caller[] {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { Origin: url, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { problem, detail, preflight } = (await response.json()) as Record<string, never>;
    return String(
      detail ?? problem ?? (preflight as { problem?: string } | undefined)?.problem ?? 'All is well.',
    );
  };
  const target = (port: number) => ({
    target: { kind: 'origins', http: `http://127.0.0.1:${port}`, https: `https://127.0.0.1:${port}` },
  });
  const scenario = { name: 'One page', steps: [{ name: '/', method: 'GET', path: '/' }] };
  return [
    { name: 'check', deadlineS: 45, atOnce: 4, ask: (port) => post('/preflight', target(port)) },
    {
      ...{ name: 'dry run', deadlineS: 45, atOnce: 1, oneOf: 10 },
      ask: (port) => post('/scenarios/dry-run', { ...target(port), scenario }),
    },
    {
      name: 'probe',
      deadlineS: 30,
      atOnce: 2,
      ask: (port) => post('/probe', { url: `https://127.0.0.1:${port}` }),
    },
  ];
}

/** Concurrent cells of each other caller; 32 in total. */
const usualAtOnce = 4;

/** @param only part of a mode's name */
export async function attack(only: string): Promise<{ rows: Cell[]; text: string }> {
  const dashboard = await startMeasuredServer();
  try {
    const callers = [...direct, ...throughDashboard(dashboard.url)];
    const modes = [...http1, ...floods].filter(({ what }) => what.includes(only));
    const cells: Cell[] = [];
    const attackOne = async (caller: Caller) => {
      const waiting = modes.filter((_, place) => place % (caller.oneOf ?? 1) === 0);
      const work = async () => {
        for (let mode = waiting.shift(); mode !== undefined; mode = waiting.shift()) {
          cells.push(await cellOf(mode, caller));
        }
      };
      await Promise.all(Array.from({ length: caller.atOnce ?? usualAtOnce }, work));
    };
    await Promise.all(callers.map(attackOne));
    const health = (await (await fetch(`${dashboard.url}/api/v1/health`)).json()) as { holder: unknown };
    const isFree = health.holder === null;
    return { rows: cells, text: print(cells, callers, isFree) };
  } finally {
    await dashboard.stop();
  }
}

async function cellOf({ what, act }: Mode, { name, deadlineS, ask }: Caller): Promise<Cell> {
  const server = await serve(act);
  const fromMs = performance.now();
  const overdue = AbortSignal.timeout(deadlineS * 1000);
  const late = once(overdue, 'abort').then(() => 'It did not end.');
  const said = await Promise.race([
    ask((server.address() as AddressInfo).port).catch((error: unknown) =>
      error instanceof Error ? sentenceOf(error) : String(error),
    ),
    late,
  ]);
  server.close();
  const seconds = (performance.now() - fromMs) / 1000;
  return { mode: what, caller: name, seconds, said, held: !overdue.aborted && isSentence(said) };
}

function sentenceOf({ name, message }: Error): string {
  return name === 'NoAnswer' ? `It ${message}.` : message;
}

/** Foreign words: a library's, OpenSSL's, or the system's. */
function isSentence(text: string): boolean {
  return /[.?”]$/.test(text.trim()) && !/HPE_|ERR_|E[A-Z]{5,}|SSL routines|\.c:\d|undefined/.test(text);
}

async function serve(act: Act): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function print(cells: readonly Cell[], callers: readonly Caller[], isFree: boolean): string {
  const missed = cells.filter(({ held }) => !held);
  const rows = callers.map(({ name, deadlineS }) => {
    const own = cells.filter(({ caller }) => caller === name);
    const longest = Math.max(...own.map(({ seconds }) => seconds));
    const held = own.filter((cell) => cell.held).length;
    return [name, `${held} of ${own.length}`, `${longest.toFixed(1)} s`, `${deadlineS} s`];
  });
  return [
    printTable(['Caller', 'Ended with a sentence', 'Longest', 'Deadline'], rows),
    `After ${cells.length} cells the machine is ${isFree ? 'free' : 'held'}.`,
    ...missed.map(
      ({ mode, caller, seconds, said }) => `${caller}, ${mode}: ${seconds.toFixed(1)} s, ${said}`,
    ),
    'n/a: renegotiation and the two callers in Chromium, which this table does not have yet.',
  ].join('\n');
}
