import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import type { ConnectionTally } from './connection.ts';
import type { LoadPart } from './messages.ts';
import type { SlotRecorder } from './slot-recorder.ts';
import type { VirtualUser } from './virtual-user.ts';

export const connecting = [
  'connectionsOpened',
  'handshakesFull',
  'handshakesResumed',
  'renegotiations',
] as const;

/** The total of each of these counts over all parts. */
export function sums<Name extends string>(
  parts: readonly Record<Name, number>[],
  names: readonly Name[],
): Record<Name, number> {
  const sum = (name: Name) => parts.reduce((total, part) => total + part[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>;
}

function newTally(): ConnectionTally {
  return {
    connectionsOpened: 0,
    handshakesFull: 0,
    handshakesResumed: 0,
    renegotiations: 0,
    wireBytesRead: 0,
    wireBytesWritten: 0,
  };
}

/** Everything that an arm counts: requests by its recorder, connections, bytes and times. It adds up until `clear`. */
export class LaneCount {
  readonly tally: ConnectionTally = newTally();
  readonly #recorder: SlotRecorder;
  /** Of what was cleared. */
  readonly #lifetime = sums([], connecting);
  readonly #sums = { elapsedMs: 0, windowMs: 0, cpuUs: 0 };
  #due: number | null = null;
  /** Requests of what was cleared. */
  requestsBefore = 0;

  constructor(recorder: SlotRecorder) {
    this.#recorder = recorder;
  }

  get openedInAll(): number {
    return this.#lifetime.connectionsOpened + this.tally.connectionsOpened;
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
    for (const name of connecting) this.#lifetime[name] += this.tally[name];
    Object.assign(this.tally, newTally());
  }

  collect(users: readonly VirtualUser[], negotiated: NegotiatedTls | null): LoadPart {
    const recorder = this.#recorder;
    for (const user of users) {
      const taken = user.connection?.takeWireBytes();
      this.tally.wireBytesRead += taken?.read ?? 0;
      this.tally.wireBytesWritten += taken?.written ?? 0;
    }
    return {
      elapsedUs: Math.round(this.#sums.elapsedMs * 1000),
      windowUs: Math.round(this.#sums.windowMs * 1000),
      ...recorder.pack(),
      due: this.#due,
      ...this.tally,
      lifetime: sums([this.#lifetime, this.tally], connecting),
      negotiated,
      cpuUs: Math.round(this.#sums.cpuUs),
    };
  }
}
