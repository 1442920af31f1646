import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Samples, Turn } from '../../../shared/kinds/handshakes/handshakes.ts';
import { Reason } from '../../base/text/foreign-errors.ts';

/** One end of a connection without a kernel: what is written to it is read from its peer. */
export class MemoryEnd extends Duplex {
  /** Bytes that this end has written. */
  bytesWritten = 0;
  /** Sees every piece that is written, before the peer does. */
  tap: ((piece: Buffer) => void) | null = null;
  #peer: MemoryEnd = this;
  #resume: (() => void) | null = null;

  static pair(): [MemoryEnd, MemoryEnd] {
    const near = new MemoryEnd();
    const far = new MemoryEnd();
    near.#peer = far;
    far.#peer = near;
    return [near, far];
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytesWritten += piece.length;
    this.tap?.(piece);
    // Who does not read soon keeps the writer waiting, as a full window would.
    if (this.#peer.push(piece)) done();
    else this.#peer.#resume = done;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  override _final(done: () => void): void {
    this.#peer.push(null);
    done();
  }
}

/**
 * Closes both ends of a pair in memory; resolves when the server's is closed. A turn of the loop goes first: what is
 * being written is written then, and a write that is cut off would cost an error for every connection.
 */
export function closePair(client: Duplex, server: Duplex): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      // An error has closed it already.
      if (server.closed) resolve();
      else server.once('close', () => resolve());
      client.destroy();
      server.destroy();
    });
  });
}

/** Large amounts go in pieces of so many bytes, the same ones over and over, as in 1997. */
const pieceBytes = 8192;
const piece = Buffer.alloc(pieceBytes, 'x');

/** Writes so many bytes, no faster than they are taken. */
export function pour(stream: Duplex, bytes: number): void {
  let left = bytes;
  while (left > 0) {
    const next = left < pieceBytes ? piece.subarray(0, left) : piece;
    left -= next.length;
    if (!stream.write(next) && left > 0) {
      stream.once('drain', () => pour(stream, left));
      return;
    }
  }
}

export function echo(stream: Duplex): void {
  stream.on('data', (read: Buffer) => {
    if (stream.write(read)) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
}

/** Calls back when so many bytes have been read. */
export function count(stream: Duplex, bytes: number, done: () => void): void {
  let left = bytes;
  stream.on('data', (read: Buffer) => {
    left -= read.length;
    if (left === 0) done();
  });
}

/**
 * The runtime's own share of a connection: the same streams, the same turns and bytes, without TLS. The ends are
 * wrapped as `tls` wraps a stream that is no socket, so what that costs is in it.
 */
export async function connectPlain(turns: readonly Turn[], bytes: number): Promise<void> {
  const [near, far] = MemoryEnd.pair().map(wrap) as [Duplex, Duplex];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = answerPlain(far, turns, reject);
  const client = dialPlain(near, turns, bytes, resolve, reject);
  try {
    await promise;
  } finally {
    await closePair(client, server);
  }
}

/** The server's end: its turns, each after the client's before it, then it sends back what comes. */
export function answerPlain(stream: Duplex, turns: readonly Turn[], fail: (error: Error) => void): Duplex {
  const play = player(turns, 'server', stream);
  stream.on('error', fail);
  stream.on('data', (read: Buffer) => {
    const excess = play(read.length);
    if (excess === 0 || stream.write(read.subarray(-excess))) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
  return stream;
}

/** The client's end; `done` when all turns and the payload have come. */
export function dialPlain(
  stream: Duplex,
  turns: readonly Turn[],
  bytes: number,
  done: () => void,
  fail: (error: Error) => void,
): Duplex {
  const lastTurn = turns.findLastIndex(({ from }) => from === 'client');
  const untilPayload = sumOf(turns.slice(0, lastTurn), 'server');
  const play = player(turns, 'client', stream);
  let left = sumOf(turns, 'server') + bytes;
  let before = 0;
  stream.on('error', fail);
  stream.on('data', (read: Buffer) => {
    play(read.length);
    if (before < untilPayload && before + read.length >= untilPayload) pour(stream, bytes);
    before += read.length;
    left -= read.length;
    if (left === 0) done();
  });
  play(0);
  return stream;
}

/** Takes the bytes read, writes the turns that are due, and returns how many of the bytes belong to no turn. */
function player(turns: readonly Turn[], side: Turn['from'], stream: Duplex): (read: number) => number {
  let due = 0;
  let awaited = 0;
  return (read) => {
    awaited -= read;
    while (due < turns.length && awaited <= 0) {
      const turn = turns[due++] as Turn;
      if (turn.from === side) stream.write(Buffer.alloc(turn.bytes));
      else awaited += turn.bytes;
    }
    return due < turns.length || awaited > 0 ? 0 : takeExcess();
  };

  function takeExcess(): number {
    const excess = -awaited;
    awaited = 0;
    return excess;
  }
}

function sumOf(turns: readonly Turn[], side: Turn['from']): number {
  return turns.reduce((sum, { from, bytes }) => (from === side ? sum + bytes : sum), 0);
}

/**
 * Wraps a stream that is no socket in the class that `tls` uses. The class has no public name, but a TLS socket over a stream contains an
 * instance; should it no longer do so, the streams stay unwrapped, and the runtime's share comes out smaller.
 */
const wrap = findWrap();

function findWrap(): (stream: Duplex) => Duplex {
  const socket = new TLSSocket(MemoryEnd.pair()[0]) as unknown as Wrapping;
  const StreamSocket = socket._handle?._parentWrap?.constructor;
  socket.destroy();
  return StreamSocket === undefined ? (stream) => stream : (stream) => new StreamSocket(stream);
}

type Wrapping = {
  _handle?: { _parentWrap?: { constructor: new (stream: Duplex) => Duplex } };
  destroy(): void;
};

/** One connection never takes so long; one that does will not end. */
const stallMs = 10_000;

/**
 * Does something so many times, one after the other, and takes the time of each. CPU time is the whole process's: the
 * kernel brings it up to date when it is asked, which it does not for a single thread's.
 */
export function timeEach(times: number, once: () => Promise<unknown>): Promise<Samples> {
  const stalled = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => stalled.reject(new Reason(`a connection did not end within ${stallMs / 1000} s`)),
    stallMs,
  );
  return Promise.race([takeTimes(times, once, timer), stalled.promise]).finally(() => clearTimeout(timer));
}

async function takeTimes(
  times: number,
  once: () => Promise<unknown>,
  stall: NodeJS.Timeout,
): Promise<Samples> {
  const samples = {
    cpuUs: new Float64Array(times),
    wallUs: new Float64Array(times),
  };
  const first = process.cpuUsage();
  let cpu = first;
  let wall = performance.now();
  for (let i = 0; i < times; i++) {
    await once();
    const cpuNow = process.cpuUsage();
    const wallNow = performance.now();
    samples.cpuUs[i] = cpuNow.user - cpu.user + cpuNow.system - cpu.system;
    samples.wallUs[i] = (wallNow - wall) * 1000;
    cpu = cpuNow;
    wall = wallNow;
    stall.refresh();
  }
  return { ...samples, userUs: cpu.user - first.user };
}
