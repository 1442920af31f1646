import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import { complete, type Failure, incomplete } from '../../base/wire/head-bytes.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import type { LoadBudget } from './load-messages.ts';
import type { Protocol } from './protocols.ts';
import { addSpans, clearSpans, noSpans, type PhaseSpans, type SlotRecorder } from './slot-recorder.ts';

/** Parts of its lane that a virtual user needs. */
export type UserLane = {
  readonly recorder: SlotRecorder;
  /** Time, in `performance.now()` ms, from which transactions are recorded. */
  readonly windowFromMs: number;
  /** In a closed loop nothing is due before it is sent, and nothing is recorded of it. */
  readonly openModel: boolean;
  readonly steps: readonly UserStep[];
  /** Requests after which a connection is closed. */
  readonly requestsPerConnection: number;
  /** Whether the connection is closed after each transaction. */
  readonly closesAfterTransaction: boolean;
  /** Null where the target is on this machine. */
  readonly budget: LoadBudget | null;
  newProtocol(): Protocol;
  connect(owner: ConnectionOwner): Connection;
  ended(user: VirtualUser, succeeded: boolean, atMs: number, latencyMs: number): void;
  connected(user: VirtualUser): void;
  connectFailed(user: VirtualUser, outcome: RequestOutcome, detail: string): void;
};

export type UserStep = { expectStatus: number; thinkMs: number; method: string };

/** Servers close connections that were idle for a second or more: Node after 5 s, nginx after 75 s. Timers of both ends are inexact. */
const leastIdleMs = 900;

const ends: readonly RequestOutcome[] = ['connection_closed_early', 'connection_reset'];
const metIdleClose = 'the server closed the idle connection as the request was sent';

/** May be sent again where the first one may have arrived. Source: RFC 9110, 9.2.2, and IANA's list of methods for WebDAV's. */
const idempotent: readonly string[] = [
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE'],
  ...['UNLOCK', 'REPORT', 'SEARCH'],
];

/**
 * Goes through the steps of the scenario, one request after the other, on one connection at a time.
 * Three times are kept of a transaction: when it was due, when it was released (the same tick, however busy
 * all users were), and when its first byte was sent. Think times are no part of its latency, nor are the pauses that keep
 * requests to the rate of a target on another host.
 */
export class VirtualUser implements ConnectionOwner {
  readonly #lane: UserLane;
  #protocol: Protocol;
  #connection: Connection | null = null;
  #requestsOnConnection = 0;
  #busy = false;
  #waiting = false;
  #pausing: NodeJS.Timeout | null = null;
  #step = 0;
  #dueAtMs = 0;
  #releasedAtMs = 0;
  #firstSentAtMs = 0;
  #pausedMs = 0;
  #stepFromMs = 0;
  #sentAtMs = 0;
  #firstByteAtMs = 0;
  #answeredAtMs = 0;
  /** -1 while no response of the transaction has said it. */
  #executionUs = -1;
  /** Phases of the request under way, and of the transaction so far. */
  readonly #spans: PhaseSpans = noSpans();
  readonly #sums: PhaseSpans = noSpans();

  constructor(lane: UserLane) {
    this.#lane = lane;
    this.#protocol = lane.newProtocol();
  }

  get busy(): boolean {
    return this.#busy;
  }

  get connection(): Connection | null {
    return this.#connection;
  }

  /** When the latest transaction was begun. */
  get begunAtMs(): number {
    return this.#firstSentAtMs;
  }

  /** When the request that is under way was sent, or its connection begun; 0 when none is. */
  get waitingSinceMs(): number {
    return this.#waiting ? this.#sentAtMs : 0;
  }

  /** Opens a connection ahead of the first transaction. */
  connect(): void {
    if (this.#connection === null) this.#openConnection(performance.now());
  }

  /** @param row of the scenario's data */
  begin(row: number, dueAtMs: number, releasedAtMs: number, nowMs: number): void {
    this.#busy = true;
    this.#step = 0;
    this.#dueAtMs = dueAtMs;
    this.#releasedAtMs = releasedAtMs;
    this.#firstSentAtMs = nowMs;
    this.#pausedMs = 0;
    this.#executionUs = -1;
    clearSpans(this.#sums);
    this.#lane.recorder.started++;
    this.#protocol.beginTransaction(row);
    this.#think(nowMs);
  }

  abort(outcome: RequestOutcome, detail: string): void {
    this.dropConnection();
    if (this.#busy) this.#fail(outcome, detail);
    else if (this.#waiting) {
      this.#waiting = false;
      this.#lane.connectFailed(this, outcome, detail);
    }
  }

  /** Takes everything from it that would make it go on. */
  halt(): void {
    if (this.#pausing !== null) clearTimeout(this.#pausing);
    this.dropConnection();
  }

  dropConnection(): void {
    this.#connection?.drop();
    this.#connection = null;
  }

  opened(connection: Connection): void {
    this.#waiting = false;
    this.#requestsOnConnection = 0;
    this.#spans.connectMs = connection.connectMs;
    this.#spans.tlsMs = connection.tlsMs;
    const hello = this.#protocol.hello();
    if (hello !== null) connection.write(hello);
    if (!this.#busy) this.#lane.connected(this);
    else if (this.#pausing === null) this.#send(performance.now());
  }

  received(length: number): void {
    const reading = this.#protocol.read(Connection.buffer, length);
    const replies = this.#protocol.takeReplies();
    if (replies !== null) this.#connection?.write(replies);
    if (!this.#waiting) {
      // Nothing was asked: what is not the protocol's own business makes the connection untrustworthy.
      if (reading !== incomplete || !this.#protocol.mayTalkUnasked) this.dropConnection();
      return;
    }
    const nowMs = performance.now();
    if (this.#firstByteAtMs === 0 && this.#protocol.started) this.#firstByteAtMs = nowMs;
    if (reading === incomplete) return;
    if (reading === complete) this.#finishStep(nowMs);
    else if (this.#metGoodbye) {
      this.dropConnection();
      this.#sendAgain(nowMs);
    } else this.abort(this.#protocol.failure.outcome, this.#protocol.failure.detail);
  }

  ended(outcome: RequestOutcome, detail: string): void {
    const connection = this.#connection;
    this.#connection = null;
    const wasIdle = this.#wasIdle(outcome);
    if (wasIdle) this.#lane.recorder.idleCloses++;
    if (!this.#waiting) return;
    const cut = connection?.wasOpen && this.#protocol.started && outcome === 'connection_closed_early';
    if (!this.#busy) this.abort(outcome, detail);
    else if (wasIdle && this.#maySendAgain) this.#sendAgain(performance.now());
    else if (wasIdle) this.#fail('closed_idle', metIdleClose);
    else if (!cut) this.#fail(outcome, detail);
    else if (this.#protocol.close() === complete) this.#finishStep(performance.now());
    else this.#fail(this.#protocol.failure.outcome, this.#protocol.failure.detail);
  }

  /** The server was leaving a connection that it had used, and said so while the request was on its way. */
  get #metGoodbye(): boolean {
    return this.#busy && this.#requestsOnConnection > 1 && this.#protocol.failure.untouched === true;
  }

  /**
   * Whether the server closed an idle connection, in a pause of the user or just as the next request was sent. A request without any
   * response also counts, because browsers send it again on a new connection (RFC 9112, 9.3.1).
   */
  #wasIdle(outcome: RequestOutcome): boolean {
    if (!this.#busy || !ends.includes(outcome) || this.#requestsOnConnection === 0) return false;
    const isPause = !this.#waiting && this.#pausing !== null;
    if (!isPause && (this.#requestsOnConnection <= 1 || this.#protocol.started)) return false;
    return (isPause ? performance.now() : this.#sentAtMs) - this.#answeredAtMs >= leastIdleMs;
  }

  get #maySendAgain(): boolean {
    return idempotent.includes(this.#lane.steps[this.#step]?.method ?? '');
  }

  /** Pauses before the step, where it asks for that, and goes on with it. */
  #think(nowMs: number): void {
    const thinkMs = this.#lane.steps[this.#step]?.thinkMs ?? 0;
    if (thinkMs === 0) this.#pace(nowMs);
    else this.#pause(thinkMs, nowMs, (thenMs) => this.#pace(thenMs));
  }

  /** Waits until the target may get another request. */
  #pace(nowMs: number): void {
    const waitMs = this.#lane.budget?.take(nowMs) ?? 0;
    if (waitMs === 0) this.#proceed(nowMs);
    else this.#pause(waitMs, nowMs, (thenMs) => this.#proceed(thenMs));
  }

  #pause(ms: number, nowMs: number, goOn: (thenMs: number) => void): void {
    this.#pausing = setTimeout(() => {
      this.#pausing = null;
      const thenMs = performance.now();
      this.#pausedMs += thenMs - nowMs;
      goOn(thenMs);
    }, ms);
  }

  #proceed(nowMs: number): void {
    this.#stepFromMs = nowMs;
    clearSpans(this.#spans);
    if (this.#connection === null) this.#openConnection(nowMs);
    else if (this.#connection.isOpen) this.#send(nowMs);
    else {
      // Begun ahead of the slot and not there yet; it is waited for as for one of this step.
      this.#waiting = true;
      this.#sentAtMs = nowMs;
    }
  }

  /** On a new connection, at the rate of the target, for which it is another request. */
  #sendAgain(nowMs: number): void {
    const waitMs = this.#lane.budget?.take(nowMs) ?? 0;
    if (waitMs === 0) {
      this.#openConnection(nowMs);
      return;
    }
    this.#waiting = false;
    this.#pause(waitMs, nowMs, (thenMs) => {
      this.#stepFromMs += thenMs - nowMs;
      this.#openConnection(thenMs);
    });
  }

  #openConnection(nowMs: number): void {
    this.#waiting = true;
    this.#sentAtMs = nowMs;
    this.#protocol = this.#protocol.forNewConnection();
    this.#connection = this.#lane.connect(this);
  }

  #send(nowMs: number): void {
    if (this.#connection === null) return;
    this.#lane.budget?.demandLease(nowMs);
    const last = this.#step === this.#lane.steps.length - 1;
    const closing =
      ++this.#requestsOnConnection >= this.#lane.requestsPerConnection ||
      (last && this.#lane.closesAfterTransaction);
    this.#waiting = true;
    this.#firstByteAtMs = 0;
    this.#sentAtMs = nowMs;
    this.#lane.recorder.requests++;
    this.#connection.write(this.#protocol.compose(this.#step, closing));
  }

  #finishStep(nowMs: number): void {
    const { recorder, steps } = this.#lane;
    const protocol = this.#protocol;
    this.#waiting = false;
    this.#answeredAtMs = nowMs;
    recorder.bodyBytes += protocol.bodyBytes;
    this.#record(nowMs);
    if (protocol.executionUs >= 0) this.#executionUs = Math.max(0, this.#executionUs) + protocol.executionUs;
    const last = this.#step === steps.length - 1;
    if (
      !protocol.keepAlive ||
      this.#requestsOnConnection >= this.#lane.requestsPerConnection ||
      (last && this.#lane.closesAfterTransaction)
    ) {
      this.dropConnection();
    }
    const expected = steps[this.#step]?.expectStatus;
    const failure =
      protocol.status === expected
        ? protocol.examine(this.#step)
        : unexpectedStatus(protocol.status, expected);
    if (failure !== null) this.#fail(failure.outcome, failure.detail);
    else if (last) this.#succeed(nowMs);
    else {
      this.#step++;
      this.#think(nowMs);
    }
  }

  #record(nowMs: number): void {
    const spans = this.#spans;
    spans.ttfbMs = this.#firstByteAtMs - this.#sentAtMs;
    spans.downloadMs = nowMs - this.#firstByteAtMs;
    addSpans(this.#sums, spans);
    if (this.#releasedAtMs < this.#lane.windowFromMs) return;
    this.#lane.recorder.recordRequest(this.#step, nowMs - this.#stepFromMs, spans);
  }

  #succeed(nowMs: number): void {
    const { recorder, windowFromMs, openModel } = this.#lane;
    const latencyMs = nowMs - this.#releasedAtMs - this.#pausedMs;
    if (this.#releasedAtMs >= windowFromMs) {
      recorder.recordTransaction(latencyMs, this.#sums);
      if (openModel) {
        const sinceDueMs = nowMs - this.#dueAtMs - this.#pausedMs;
        recorder.recordArrival(sinceDueMs, this.#firstSentAtMs - this.#dueAtMs);
      }
    }
    if (this.#executionUs >= 0) {
      recorder.executionUs += this.#executionUs;
      recorder.executions++;
    }
    recorder.succeeded++;
    this.#busy = false;
    this.#lane.ended(this, true, nowMs, latencyMs);
  }

  #fail(outcome: RequestOutcome, detail: string): void {
    if (this.#pausing !== null) clearTimeout(this.#pausing);
    this.#pausing = null;
    this.#waiting = false;
    this.#busy = false;
    this.#lane.recorder.recordError(this.#step, outcome, detail);
    this.#lane.ended(this, false, performance.now(), 0);
  }
}

function unexpectedStatus(status: number, expected: number | undefined): Failure {
  return { outcome: 'unexpected_status', detail: `answered ${status} instead of ${expected}` };
}
