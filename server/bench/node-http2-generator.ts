import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isEncrypted, schemeOf } from '../../shared/base/transport.ts';
import { hostOf } from '../base/addresses/origin.ts';
import { answerWithLanes } from '../drive/load/answer-with-lanes.ts';
import { ClientTls } from '../drive/load/client-tls.ts';
import type { Connection, ConnectionOwner } from '../drive/load/connection.ts';
import { Lane } from '../drive/load/lane.ts';
import type { LaneOptions } from '../drive/load/lane-options.ts';
import type { Protocol } from '../drive/load/protocol.ts';
import { complete, type Failure, incomplete, malformed, type Reading } from '../drive/load/reading.ts';
import { literalRequest } from '../intake/scenario/literal-request.ts';
import { readApplicationTime } from '../intake/traffic/server-timing.ts';

/**
 * The load generator with `node:http2` in place of its own HTTP/2: what our virtual users would cost on it. Everything
 * that `node:http2` lets a client spare is spared: heads are lists made once, and windows are never filled.
 */

const widest = 2 ** 31 - 1;
const noBytes = Buffer.alloc(0);
const broken: Failure = { outcome: 'connection_reset', detail: 'the stream or its connection broke' };

type Origin = { options: LaneOptions; tls: ClientTls | null; heads: string[][] };

/** A session of one virtual user, who takes it for protocol and connection at once. */
class SessionOfUser implements Protocol {
  static opening: SessionOfUser | null = null;

  status = 0;
  keepAlive = true;
  bodyBytes = 0;
  executionUs = -1;
  started = false;
  failure = broken;
  readonly mayTalkUnasked = true;
  isOpen = false;
  wasOpen = false;
  connectMs = 0;
  tlsMs = 0;

  readonly #origin: Origin;
  #owner: ConnectionOwner | null = null;
  #session: ClientHttp2Session | null = null;
  #socket: Socket | null = null;
  #head: string[] = [];
  #reading: Reading = incomplete;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  forNewConnection(): SessionOfUser {
    SessionOfUser.opening = new SessionOfUser(this.#origin);
    return SessionOfUser.opening;
  }

  connect(owner: ConnectionOwner): Connection {
    const { options, tls } = this.#origin;
    const { address: host, port, hostname, transport } = options.listener;
    this.#owner = owner;
    const beganMs = performance.now();
    const to = { host, port, noDelay: true };
    const socket = tls === null ? connectPlain(to) : connectTls({ ...to, ...tls.options });
    this.#socket = socket;
    socket.on('connect', () => {
      this.connectMs = performance.now() - beganMs;
    });
    this.#session = connectHttp2(`${schemeOf(transport)}://${hostname}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: widest },
    });
    this.#session.on('connect', (session) => {
      this.tlsMs = performance.now() - beganMs - this.connectMs;
      session.setLocalWindowSize(widest);
      this.isOpen = true;
      this.wasOpen = true;
      owner.opened(this.#asConnection);
    });
    this.#session.on('error', () => this.#end());
    this.#session.on('close', () => this.#end());
    return this.#asConnection;
  }

  hello(): null {
    return null;
  }

  beginTransaction(): void {}

  compose(step: number): Buffer {
    this.#head = this.#origin.heads[step] ?? [];
    return noBytes;
  }

  write(): void {
    this.started = false;
    this.bodyBytes = 0;
    this.executionUs = -1;
    this.#reading = incomplete;
    const stream = this.#session?.request(this.#head, { endStream: true });
    if (stream === undefined) throw new Error('the session is not open');
    this.#watch(stream);
  }

  #watch(stream: ClientHttp2Stream): void {
    stream.on('response', (headers) => {
      this.started = true;
      this.status = headers[':status'] ?? 0;
      const timing = headers['server-timing'];
      if (typeof timing === 'string') {
        const text = Buffer.from(timing);
        this.executionUs = readApplicationTime(text, 0, text.length);
      }
      this.#owner?.received(0);
    });
    stream.on('data', (bytes: Buffer) => {
      this.bodyBytes += bytes.length;
    });
    stream.on('end', () => this.#finish(complete));
    stream.on('error', () => this.#finish(malformed));
  }

  #finish(reading: Reading): void {
    this.#reading = reading;
    this.#owner?.received(0);
  }

  read(): Reading {
    return this.#reading;
  }

  takeReplies(): null {
    return null;
  }

  close(): Reading {
    return malformed;
  }

  examine(): null {
    return null;
  }

  drop(): void {
    this.#owner = null;
    this.isOpen = false;
    this.#session?.destroy();
    this.#socket?.destroy();
  }

  takeWireBytes(): { read: number; written: number } {
    return { read: 0, written: 0 };
  }

  #end(): void {
    const owner = this.#owner;
    this.drop();
    owner?.ended('connection_closed_early', 'the session ended');
  }

  get #asConnection(): Connection {
    return this as unknown as Connection;
  }
}

class NodeHttp2Lane extends Lane {
  constructor(options: LaneOptions) {
    const { listener, scenario, tls } = options;
    const heads = scenario.steps.map((step) => {
      const { method, path, headers } = literalRequest(step);
      const scheme = schemeOf(listener.transport);
      const pseudo = [':method', method, ':scheme', scheme, ':authority', hostOf(listener), ':path', path];
      return [...pseudo, ...headers.flatMap(([name, value]) => [name.toLowerCase(), value])];
    });
    const ownTls = isEncrypted(listener.transport) ? new ClientTls(listener, tls) : null;
    super(options, () => new SessionOfUser({ options, tls: ownTls, heads }));
  }

  override connect(owner: ConnectionOwner): Connection {
    const { opening } = SessionOfUser;
    if (opening === null) throw new Error('no session is to be opened');
    return opening.connect(owner);
  }
}

answerWithLanes((options) => new NodeHttp2Lane(options));
