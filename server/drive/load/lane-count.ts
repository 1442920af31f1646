import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import type { ConnectionTally } from './connection.ts';
import type { LoadPart } from './messages.ts';
import type { SlotRecorder } from './slot-recorder.ts';
import type { VirtualUser } from './virtual-user.ts';

/** Everything that an arm counts: requests by its recorder, connections, bytes and times. It adds up until `clear`. */
export class LaneCount {
  readonly tally: ConnectionTally = {
    opened: 0,
    handshakesFull: 0,
    handshakesResumed: 0,
    bytesRead: 0,
    bytesWritten: 0,
  };
  readonly #recorder: SlotRecorder;
  /** Of what was cleared. */
  readonly #lifetime = { connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0 };
  readonly #sums = { elapsedMs: 0, windowMs: 0, cpuUs: 0 };
  #due: number | null = null;
  /** Requests of what was cleared. */
  requestsBefore = 0;

  constructor(recorder: SlotRecorder) {
    this.#recorder = recorder;
  }

  addTime(elapsedMs: number, windowMs: number, cpuUs: number): void {
    this.#sums.elapsedMs += elapsedMs;
    this.#sums.windowMs += windowMs;
    this.#sums.cpuUs += cpuUs;
  }

  addDue(arrivals: number): void {
    this.#due = (this.#due ?? 0) + arrivals;
  }

  clear(users: readonly VirtualUser[]): void {
    this.requestsBefore += this.#recorder.requests;
    this.#recorder.clear();
    this.#due = null;
    Object.assign(this.#sums, { elapsedMs: 0, windowMs: 0, cpuUs: 0 });
    for (const user of users) user.connection?.takeWireBytes();
    this.#lifetime.connectionsOpened += this.tally.opened;
    this.#lifetime.handshakesFull += this.tally.handshakesFull;
    this.#lifetime.handshakesResumed += this.tally.handshakesResumed;
    Object.assign(this.tally, {
      opened: 0,
      handshakesFull: 0,
      handshakesResumed: 0,
      bytesRead: 0,
      bytesWritten: 0,
    });
  }

  collect(users: readonly VirtualUser[], negotiated: NegotiatedTls | null): LoadPart {
    const recorder = this.#recorder;
    for (const user of users) {
      const taken = user.connection?.takeWireBytes();
      this.tally.bytesRead += taken?.read ?? 0;
      this.tally.bytesWritten += taken?.written ?? 0;
    }
    const { opened, handshakesFull, handshakesResumed, bytesRead, bytesWritten } = this.tally;
    return {
      elapsedUs: Math.round(this.#sums.elapsedMs * 1000),
      windowUs: Math.round(this.#sums.windowMs * 1000),
      ...recorder.pack(),
      due: this.#due,
      wireBytesRead: bytesRead,
      wireBytesWritten: bytesWritten,
      connectionsOpened: opened,
      handshakesFull,
      handshakesResumed,
      lifetime: {
        connectionsOpened: this.#lifetime.connectionsOpened + opened,
        handshakesFull: this.#lifetime.handshakesFull + handshakesFull,
        handshakesResumed: this.#lifetime.handshakesResumed + handshakesResumed,
      },
      negotiated,
      cpuUs: Math.round(this.#sums.cpuUs),
    };
  }
}
