import type { z } from 'zod';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import type { Listener } from '../../../shared/target/target.ts';
import type { ConnectionTally } from './connection.ts';
import type { LoadBudget, LoadPart, questions, Share } from './load-messages.ts';
import { type ArrivalSchedule, dueAtMs, type Metronome } from './metronome.ts';
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
  /** Sums of the periods that were cleared. */
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

/** Connections that are being opened at one time: more would overflow the backlog of a listener. */
export const mostConnecting = 256;

/** Who opens a connection, and then calls `opened` whether it came or not. */
type Opening = { connect(): void };

/** Opens many connections, a bounded number at a time, and to another host one after another at the rate it permits. */
export class ConnectionOpener {
  readonly #budget: Pick<LoadBudget, 'take'> | null;
  #waiting: Opening[] = [];
  /** Connections under way, including those that wait for the rate. */
  #connecting = 0;
  readonly #paced = new Set<NodeJS.Timeout>();

  /** @param budget null where the target is on this machine */
  constructor(budget: Pick<LoadBudget, 'take'> | null) {
    this.#budget = budget;
  }

  get idle(): boolean {
    return this.#connecting === 0;
  }

  open(all: readonly Opening[]): void {
    this.#waiting = [...all];
    while (this.#connecting < mostConnecting && this.#waiting.length > 0) this.#next();
  }

  opened(): void {
    this.#connecting--;
    this.#next();
  }

  /** Opens none of those that are left. */
  stop(): void {
    this.#waiting = [];
    for (const timer of this.#paced) clearTimeout(timer);
    this.#connecting -= this.#paced.size;
    this.#paced.clear();
  }

  #next(): void {
    const next = this.#waiting.pop();
    if (next === undefined) return;
    this.#connecting++;
    const waitMs = this.#budget?.take(performance.now()) ?? 0;
    if (waitMs === 0) next.connect();
    else {
      const timer = setTimeout(() => {
        this.#paced.delete(timer);
        next.connect();
      }, waitMs);
      this.#paced.add(timer);
    }
  }
}

/** Receiver of arrivals. `release` returns false when every user is busy; it is then asked for later. */
type ArrivalSink = {
  release(dueAtMs: number, nowMs: number): boolean;
  finished(): void;
};

type WaitingArrival = { dueAtMs: number; releasedAtMs: number };

/**
 * Arrivals at a constant rate, evenly spaced, whatever the target does: the open model.
 * A beat releases everything that has become due. Arrivals that find no free user wait in order and keep
 * the time of the beat that released them, so a stall of the target shows in their latency.
 */
export class Arrivals {
  due = 0;
  readonly #schedule: ArrivalSchedule;
  readonly #sink: ArrivalSink;
  readonly #metronome: Metronome;
  #waiting: WaitingArrival[] = [];
  #firstWaiting = 0;
  #ended = false;

  constructor(schedule: ArrivalSchedule, sink: ArrivalSink, metronome: Metronome) {
    this.#schedule = schedule;
    this.#sink = sink;
    this.#metronome = metronome;
  }

  /** No arrival is left, neither to come nor waiting. */
  get exhausted(): boolean {
    return this.#ended && this.#firstWaiting === this.#waiting.length;
  }

  start(): void {
    this.#metronome.play(this.#schedule, () => this.#releaseDue());
    this.#releaseDue();
  }

  stop(): void {
    if (!this.#ended) this.#metronome.stop();
    this.#ended = true;
  }

  takeWaiting(): WaitingArrival | null {
    const next = this.#waiting[this.#firstWaiting];
    if (next === undefined) return null;
    this.#firstWaiting++;
    return next;
  }

  /** Gives up those that still wait: they stay due, and are never begun. */
  takeAllWaiting(): WaitingArrival[] {
    const waiting = this.#waiting.slice(this.#firstWaiting);
    this.#waiting = [];
    this.#firstWaiting = 0;
    return waiting;
  }

  #releaseDue(): void {
    if (this.#ended) return;
    const nowMs = performance.now();
    let dueMs = dueAtMs(this.due, this.#schedule);
    while (dueMs <= nowMs && dueMs < this.#schedule.toMs) {
      this.due++;
      if (!this.#sink.release(dueMs, nowMs)) this.#waiting.push({ dueAtMs: dueMs, releasedAtMs: nowMs });
      dueMs = dueAtMs(this.due, this.#schedule);
    }
    if (dueMs < this.#schedule.toMs) return;
    this.stop();
    this.#sink.finished();
  }
}

type Asked<Name extends keyof typeof questions> = z.output<(typeof questions)[Name]['question']>;

export type LaneOptions = Omit<Asked<'configure'>['configuration'], 'listeners'> & {
  listener: Listener;
  share: Share;
  /** Budget for a target on another host. */
  budget?: LoadBudget | null;
};

export type LaneSlot = Asked<'burst'>['slot'];

export function requestsOn({
  connectionPolicy,
  requestsPerConnection,
}: Pick<LaneOptions, 'connectionPolicy' | 'requestsPerConnection'>): number {
  if (connectionPolicy === 'requests-per-connection') return requestsPerConnection;
  return connectionPolicy === 'connection-per-request' ? 1 : Number.POSITIVE_INFINITY;
}

/** One process's part of a number that is shared among processes. */
export function ownPart(total: number, { index, of }: Share): number {
  return Math.floor(total / of) + (index < total % of ? 1 : 0);
}
