import type { RequestOutcome } from '../../shared/outcome.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import type { WireRequest } from './request-bytes.ts';
import { complete, incomplete, ResponseReader } from './response-reader.ts';
import type { SlotRecorder } from './slot-recorder.ts';

/** What a virtual user needs from the lane it belongs to. */
export type UserLane = {
  readonly requests: readonly WireRequest[];
  readonly recorder: SlotRecorder;
  /** Time, in `performance.now()` ms, from which transactions are recorded. */
  readonly windowFromMs: number;
  connect(owner: ConnectionOwner): Connection;
  /** Whether the connection is closed after each transaction. */
  readonly closesAfterTransaction: boolean;
  ended(user: VirtualUser, succeeded: boolean, atMs: number): void;
  connected(user: VirtualUser): void;
  connectFailed(user: VirtualUser, detail: string): void;
};

/**
 * Goes through the steps of the scenario, one request after the other, on one connection at a time.
 * Three times are kept of a transaction: when it was due, when it was released (the same tick, however busy
 * all users were), and when its first byte was sent.
 */
export class VirtualUser implements ConnectionOwner {
  readonly #lane: UserLane;
  readonly #reader = new ResponseReader();
  #connection: Connection | null = null;
  #busy = false;
  #waiting = false;
  #step = 0;
  #dueAtMs = 0;
  #releasedAtMs = 0;
  #firstSentAtMs = 0;
  #sentAtMs = 0;
  #firstByteAtMs = 0;
  #executionUs = 0;

  constructor(lane: UserLane) {
    this.#lane = lane;
  }

  get busy(): boolean {
    return this.#busy;
  }

  get connection(): Connection | null {
    return this.#connection;
  }

  /** When the request that is under way was sent, or its connection begun; 0 when none is. */
  get waitingSinceMs(): number {
    return this.#waiting ? this.#sentAtMs : 0;
  }

  /** Opens a connection ahead of the first transaction. */
  connect(): void {
    if (this.#connection === null) this.#openConnection();
  }

  begin(dueAtMs: number, releasedAtMs: number, nowMs: number): void {
    this.#busy = true;
    this.#step = 0;
    this.#dueAtMs = dueAtMs;
    this.#releasedAtMs = releasedAtMs;
    this.#firstSentAtMs = nowMs;
    this.#executionUs = 0;
    this.#lane.recorder.started++;
    this.#proceed(nowMs);
  }

  abort(outcome: RequestOutcome, detail: string): void {
    this.dropConnection();
    if (this.#busy) this.#fail(outcome, detail);
    else if (this.#waiting) {
      this.#waiting = false;
      this.#lane.connectFailed(this, detail);
    }
  }

  dropConnection(): void {
    this.#connection?.drop();
    this.#connection = null;
  }

  opened(): void {
    this.#waiting = false;
    if (this.#busy) this.#send(performance.now());
    else this.#lane.connected(this);
  }

  received(length: number): void {
    if (!this.#waiting) {
      // Nothing was asked: whatever this is, the connection cannot be trusted any more.
      this.dropConnection();
      return;
    }
    if (this.#firstByteAtMs === 0) this.#firstByteAtMs = performance.now();
    const reading = this.#reader.read(Connection.buffer, length);
    if (reading === incomplete) return;
    if (reading === complete) this.#finishStep();
    else this.abort('malformed_response', 'the response is not valid HTTP/1.1');
  }

  ended(outcome: RequestOutcome, detail: string): void {
    this.#connection = null;
    if (!this.#busy) {
      if (this.#waiting) this.abort(outcome, detail);
      return;
    }
    if (this.#waiting && this.#reader.started && outcome === 'connection_closed_early') {
      if (this.#reader.close() === complete) {
        this.#finishStep();
        return;
      }
    }
    this.#fail(outcome, detail);
  }

  #proceed(nowMs: number): void {
    if (this.#connection === null) {
      this.#sentAtMs = nowMs;
      this.#openConnection();
    } else if (this.#connection.isOpen) this.#send(nowMs);
  }

  #openConnection(): void {
    this.#waiting = true;
    this.#sentAtMs = performance.now();
    this.#connection = this.#lane.connect(this);
  }

  #send(nowMs: number): void {
    const request = this.#lane.requests[this.#step];
    if (request === undefined || this.#connection === null) return;
    this.#reader.begin(request.bodyless);
    this.#waiting = true;
    this.#firstByteAtMs = 0;
    this.#sentAtMs = nowMs;
    this.#lane.recorder.requests++;
    this.#connection.write(request.bytes);
  }

  #finishStep(): void {
    const nowMs = performance.now();
    const { recorder, requests } = this.#lane;
    const reader = this.#reader;
    this.#waiting = false;
    recorder.bodyBytes += reader.bodyBytes;
    if (this.#releasedAtMs >= this.#lane.windowFromMs) {
      recorder.recordRequest(this.#step, this.#sentAtMs, this.#firstByteAtMs, nowMs);
    }
    if (reader.executionUs >= 0) this.#executionUs += reader.executionUs;
    const expected = requests[this.#step]?.expectStatus;
    if (reader.status !== expected) {
      if (!reader.keepAlive) this.dropConnection();
      this.#fail('unexpected_status', `answered ${reader.status} instead of ${expected}`);
      return;
    }
    this.#step++;
    const last = this.#step === requests.length;
    if (!reader.keepAlive || (last && this.#lane.closesAfterTransaction)) this.dropConnection();
    if (last) this.#succeed(nowMs);
    else this.#proceed(nowMs);
  }

  #succeed(nowMs: number): void {
    const { recorder, windowFromMs } = this.#lane;
    if (this.#releasedAtMs >= windowFromMs) {
      recorder.recordTransaction(this.#dueAtMs, this.#releasedAtMs, this.#firstSentAtMs, nowMs);
    }
    if (this.#executionUs > 0) {
      recorder.executionUs += this.#executionUs;
      recorder.executions++;
    }
    recorder.succeeded++;
    this.#busy = false;
    this.#lane.ended(this, true, nowMs);
  }

  #fail(outcome: RequestOutcome, detail: string): void {
    this.#waiting = false;
    this.#busy = false;
    this.#lane.recorder.recordError(this.#step, outcome, detail);
    this.#lane.ended(this, false, performance.now());
  }
}
