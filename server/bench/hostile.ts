import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { probeEndpoints } from '../../shared/api/example-endpoints.ts';
import { dryRunEndpoints } from '../../shared/api/question-endpoints.ts';
import { recordingEndpoints } from '../../shared/api/scenario-endpoints.ts';
import { targetEndpoints } from '../../shared/api/target-endpoints.ts';
import { parseSelector } from '../../shared/target/metric-selector.ts';
import { connectTo } from '../edge/commands/api-client.ts';
import { readServerHeader } from '../kinds/servers/conduct-servers.ts';
import { issueSelfSigned, validFor } from '../targets/certificates/issue-certificate.ts';
import { statusOf } from '../targets/managed/managed-server.ts';
import { findLocalServers } from '../targets/preflight/look-up.ts';
import { Scraper } from '../targets/sampling/prometheus-readings.ts';
import { startMeasuredServer } from '../testing/program-in-test.ts';
import { performMeasurement } from './perform-run.ts';
import { printTable } from './print-table.ts';

/**
 * Misbehaving servers, asked by each part of the product that asks servers. Each cell ends within its deadline with a sentence, and
 * afterwards the machine is free.
 */

type Act = (socket: Socket) => unknown;
type Mode = {
  what: string;
  act: Act;
  /** Acts inside TLS 1.2, after the handshake. */
  secure?: true;
};
type Caller = {
  name: string;
  deadlineS: number;
  /** Cells that run concurrently. The dashboard checks a host one by one, and a dry run occupies the machine. */
  atOnce?: number;
  /** Tries only every nth mode, beginning with the mode at a place. */
  oneOf?: number;
  from?: number;
  /** Occupies the machine, so such callers take turns. */
  holds?: true;
  /** @param secure whether the server speaks TLS only */
  ask(port: number, secure: boolean): Promise<string>;
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

/** Another handshake after each, for as long as the client takes part, and no answer. Such a flood is as old as CVE-2011-1473. */
function renegotiate(socket: Socket): void {
  if (!(socket instanceof TLSSocket) || socket.destroyed) return;
  socket.renegotiate({ rejectUnauthorized: false }, (error) => {
    if (error === null) setImmediate(() => renegotiate(socket));
  });
}

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
  { what: 'renegotiation', act: renegotiate, secure: true },
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
  cpu: selected('process_cpu_seconds_total'),
  memory: selected('process_resident_memory_bytes'),
});

function selected(text: string) {
  return { selector: parseSelector(text) as NonNullable<ReturnType<typeof parseSelector>>, text };
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
      await scraper.read().finally(() => scraper.close());
      return 'It has figures.';
    },
  },
];

/** Callers that ask through the dashboard, whose machine must be free afterwards. A problem is what they say. */
function throughDashboard(url: string): Caller[] {
  const api = connectTo({ url, key: null });
  const originsAt = (at: string) => ({
    kind: 'origins' as const,
    http: `http://${at}`,
    https: `https://${at}`,
  });
  const target = (port: number) => ({ target: originsAt(`127.0.0.1:${port}`) });
  const scenario = { name: 'One page', steps: [{ name: '/', method: 'GET' as const, path: '/' }] };
  const chromium = { atOnce: 1, oneOf: 10, holds: true } as const;
  return [
    {
      ...{ name: 'check', deadlineS: 45, atOnce: 4 },
      ask: async (port) => wordsOf(await api.call(targetEndpoints.preflight, { body: target(port) })),
    },
    {
      ...{ name: 'dry run', deadlineS: 45, ...chromium },
      async ask(port) {
        const body = { ...target(port), scenario };
        return wordsOf((await api.call(dryRunEndpoints.dryRun, { body })).preflight);
      },
    },
    {
      ...{ name: 'probe', deadlineS: 30, atOnce: 2 },
      async ask(port) {
        const body = { url: `https://127.0.0.1:${port}` };
        return (await api.call(probeEndpoints.probe, { body })).verdict;
      },
    },
    {
      ...{ name: 'recorder (Chromium)', deadlineS: 60, ...chromium, from: 1 },
      async ask(port, secure) {
        const body = { url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/` };
        const { sid } = await api.call(recordingEndpoints.createRecording, { body });
        await pause(recordedMs);
        const ended = await api.call(recordingEndpoints.finishRecording, { params: { sid }, body: {} });
        return ended.unsupported[0]?.reason ?? ended.notes[0] ?? well;
      },
    },
    {
      ...{ name: 'visits (Chromium)', deadlineS: 90, ...chromium, from: 2 },
      async ask(port) {
        const asked = { kind: 'visits' as const, blocks: 6, secrets: {}, ...target(port) };
        const { problem } = JSON.parse(await api.readDocument((await performMeasurement(url, asked)).url));
        return problem?.detail ?? well;
      },
    },
  ];
}

const well = 'All is well.';
const wordsOf = ({ problem }: { problem: string | null }) => problem ?? well;
/** Time that a recorded page gets before its recording ends. */
const recordedMs = 3000;

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
      const { oneOf = 1, from = 0 } = caller;
      const waiting = modes.filter((_, place) => only !== '' || place % oneOf === from % oneOf);
      const work = async () => {
        for (let mode = waiting.shift(); mode !== undefined; mode = waiting.shift()) {
          cells.push(await cellOf(mode, caller));
        }
      };
      await Promise.all(Array.from({ length: caller.atOnce ?? usualAtOnce }, work));
    };
    const inTurn = async () => {
      for (const caller of callers) if (caller.holds) await attackOne(caller);
    };
    await Promise.all([inTurn(), ...callers.filter(({ holds }) => !holds).map(attackOne)]);
    const health = (await (await fetch(`${dashboard.url}/api/v1/health`)).json()) as { holder: unknown };
    const isFree = health.holder === null;
    return { rows: cells, text: print(cells, callers, isFree) };
  } finally {
    await dashboard.stop();
  }
}

async function cellOf(mode: Mode, { name, deadlineS, ask }: Caller): Promise<Cell> {
  const server = await serve(mode);
  const fromMs = performance.now();
  const overdue = AbortSignal.timeout(deadlineS * 1000);
  const late = once(overdue, 'abort').then(() => 'It did not end.');
  const said = await Promise.race([
    ask((server.address() as AddressInfo).port, mode.secure === true).catch(({ name, message }: Error) =>
      name === 'NoAnswer' ? `It ${message}.` : message,
    ),
    late,
  ]);
  server.close();
  const seconds = (performance.now() - fromMs) / 1000;
  return { mode: mode.what, caller: name, seconds, said, held: !overdue.aborted && isSentence(said) };
}

/** Foreign words: a library's, OpenSSL's, or the system's. */
function isSentence(text: string): boolean {
  return /[.?”]$/.test(text.trim()) && !/HPE_|ERR_|E[A-Z]{5,}|SSL routines|\.c:\d|undefined/.test(text);
}

async function serve({ act, secure }: Mode): Promise<Server> {
  const accept = (socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  };
  const { certificatePem: cert, keyPem: key } = await issueSelfSigned('127.0.0.1', validFor(1));
  const server = secure
    ? createTlsServer({ cert, key, maxVersion: 'TLSv1.2' }, accept)
    : createServer(accept);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
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
    'n/a: nine of ten modes of callers that occupy the machine. To callers without TLS, a server that renegotiates is none of HTTP.',
  ].join('\n');
}
