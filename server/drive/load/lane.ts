import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import { isEncrypted } from '../../../shared/base/transport.ts';
import { opensConnections } from '../../base/addresses/load-limits.ts';
import { countSources, sourceAddress } from '../../base/process/listeners.ts';
import { ClientTls } from './client-tls.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import {
  Arrivals,
  ConnectionOpener,
  connecting,
  LaneCount,
  type LaneOptions,
  type LaneSlot,
  ownPart,
  requestsOn,
  sums,
} from './lane-count.ts';
import type { BurstPart, LoadBudget, LoadPart, Prepared } from './load-messages.ts';
import { Metronome } from './metronome.ts';
import { type Protocol, protocolsOf } from './protocols.ts';
import { SlotRecorder } from './slot-recorder.ts';
import { type UserLane, type UserStep, VirtualUser } from './virtual-user.ts';

/** A user whose transaction failed waits this long, so that a dead target is not hammered. */
const pauseAfterFailureMs = 50;
const watchEveryMs = 100;
/** Connections per request, where each has its own. */
const nearlyAll = 0.95;
/** A target that stalls or fails leaves a queue of arrivals; it is worked off this long after the slot, and then given up. */
const longestBacklogMs = 1000;

/** A lockstep user's transaction has ended. `latencyMs` leaves think times out. */
type TurnEnded = (user: number, succeeded: boolean, atMs: number, latencyMs: number) => void;

/**
 * All virtual users of one arm. Does one thing at a time: `prepare`, a burst, or the turns of lockstep. What bursts and turns
 * count adds up until `clear`. It is one class although it is long: what begins, goes on and settles shares the state of a slot.
 */
export class Lane implements UserLane {
  readonly recorder: SlotRecorder;
  readonly steps: readonly UserStep[];
  readonly closesAfterTransaction: boolean;
  readonly requestsPerConnection: number;
  readonly budget: LoadBudget | null;
  readonly newProtocol: () => Protocol;
  windowFromMs = 0;
  openModel = false;

  readonly #options: LaneOptions;
  readonly #tls: ClientTls | null;
  readonly #users: VirtualUser[];
  readonly #free: VirtualUser[] = [];
  readonly #count: LaneCount;
  /** Addresses of this machine that its connections come from, by turns, once they are many. */
  readonly #sources: number;
  #connections = 0;
  #arrivals: Arrivals | null = null;
  #windowToMs = 0;
  #slotNumber = 0;
  #row = 0;
  #rowStep = 1;
  #running = false;
  #halted = false;
  #busy = 0;
  #lastDoneMs = 0;
  #transactionsInWindow = 0;
  #settle: (() => void) | null = null;
  readonly #opener: ConnectionOpener;
  #onTurn: TurnEnded | null = null;

  constructor(options: LaneOptions, newProtocol = protocolsOf(options.listener, options.scenario)) {
    const { listener, scenario, tls, connectionPolicy, thinkTimeScale } = options;
    this.#options = options;
    this.#tls = isEncrypted(listener.transport) ? new ClientTls(listener, listener.tls ?? tls) : null;
    this.newProtocol = newProtocol;
    this.steps = scenario.steps.map(({ method, expectStatus, thinkTimeMs }) => ({
      ...{ method, expectStatus },
      thinkMs: Math.round(thinkTimeMs * thinkTimeScale),
    }));
    this.closesAfterTransaction = connectionPolicy === 'connection-per-transaction';
    this.requestsPerConnection = requestsOn(options);
    this.budget = options.budget ?? null;
    this.#opener = new ConnectionOpener(this.budget);
    this.recorder = new SlotRecorder(
      listener.transport,
      scenario.steps.map((step) => step.name),
    );
    this.#count = new LaneCount(this.recorder);
    this.#sources = countSources(listener.address, true);
    this.#users = Array.from(
      { length: ownPart(options.connections, options.share) },
      () => new VirtualUser(this),
    );
  }

  /**
   * Opens the kept-alive connections that are missing, so that none of that falls into a slot.
   * @param atRate whether slots at a rate follow, which need what paces them
   * @param users of all processes together that a slot will ask for; those that are missing are added for good
   */
  async prepare(atRate = false, users?: number): Promise<Prepared> {
    this.clear();
    const wanted = users === undefined ? 0 : ownPart(users, this.#options.share);
    while (this.#users.length < wanted) this.#users.push(new VirtualUser(this));
    if (atRate) await Metronome.ofProcess();
    if (!this.#opensInSlot) {
      const unconnected = this.#users.filter((user) => user.connection === null);
      if (unconnected.length > 0) {
        const settled = this.#settled();
        this.#opener.open(unconnected);
        await settled;
      }
    }
    return {
      ...sums([this.#count.tally], connecting),
      negotiated: this.#tls?.negotiated ?? null,
      errors: this.recorder.takeErrors(),
    };
  }

  /** Runs one slot by itself and resolves when its last response has come. */
  async run(slot: LaneSlot): Promise<LoadPart> {
    this.clear();
    await this.burst(slot);
    return this.collect();
  }

  /** The same, beside what was counted before. */
  async burst(slot: LaneSlot): Promise<BurstPart> {
    const { started, succeeded } = this.recorder;
    if (slot.ratePerS !== null) this.budget?.demandRate(slot.ratePerS * this.steps.length);
    const pacing = slot.ratePerS === null ? null : await Metronome.ofProcess();
    const cpuBefore = process.cpuUsage();
    const fromMs = performance.now();
    this.windowFromMs = fromMs + slot.discardMs;
    this.#windowToMs = fromMs + slot.durationMs;
    this.#lastDoneMs = fromMs;
    this.#transactionsInWindow = 0;
    this.#slotNumber++;
    this.#row = slot.firstRow + (slot.sameRow ? 0 : this.#options.share.index);
    this.#rowStep = slot.sameRow ? 0 : this.#options.share.of;
    this.#running = true;
    this.openModel = slot.ratePerS !== null;
    const taking = this.#taking(slot.users);
    this.#free.length = 0;
    this.#free.push(...taking);
    const ended = this.#settled();
    if (slot.ratePerS === null || pacing === null) this.#runClosed(taking, fromMs);
    else this.#runOpen(slot.ratePerS, slot.rampMs, fromMs, pacing);
    await ended;
    const cpu = process.cpuUsage(cpuBefore);
    const elapsedMs = this.#lastDoneMs - fromMs;
    const windowMs = slot.durationMs - slot.discardMs;
    this.addTime(elapsedMs, windowMs, cpu.user + cpu.system);
    if (this.#arrivals !== null) this.#count.addDue(this.#arrivals.due);
    return {
      elapsedUs: Math.round(elapsedMs * 1000),
      windowUs: windowMs * 1000,
      cpuUs: cpu.user + cpu.system,
      started: this.recorder.started - started,
      succeeded: this.recorder.succeeded - succeeded,
      transactionsInWindow: this.#transactionsInWindow,
    };
  }

  /** Bytes on the wire of the connections that are open. */
  get openBytes(): number {
    return this.#users.reduce((sum, { connection }) => sum + (connection?.wireBytes ?? 0), 0);
  }

  /** Requests sent since it was made. */
  get requestsInAll(): number {
    return this.#count.requestsBefore + this.recorder.requests;
  }

  /** Users who can go in lockstep. */
  get userCount(): number {
    return this.#users.length;
  }

  /** From here on `onTurn` hears of every transaction that `turn` begins; null ends that. */
  lockstep(onTurn: TurnEnded | null): void {
    this.#onTurn = onTurn;
    this.#arrivals = null;
    this.#running = false;
    this.openModel = false;
    this.windowFromMs = 0;
    this.#windowToMs = Number.POSITIVE_INFINITY;
  }

  /** One transaction of one user, who must be free. */
  turn(user: number, row: number, nowMs: number): void {
    if (!this.#halted) this.#users[user]?.begin(row, nowMs, nowMs, nowMs);
  }

  /** Adds to what this arm took of the time and of this process. */
  addTime(elapsedMs: number, windowMs: number, cpuUs: number): void {
    this.#count.addTime(elapsedMs, windowMs, cpuUs);
  }

  close(): void {
    this.#arrivals?.stop();
    this.#opener.stop();
    for (const user of this.#users) user.halt();
  }

  /** For good: nothing is sent any more, and nothing that goes on is ever over. */
  halt(): void {
    this.#halted = true;
    this.#running = false;
    this.#arrivals?.stop();
    this.#opener.stop();
    for (const user of this.#users) user.halt();
  }

  connect(owner: ConnectionOwner): Connection {
    this.budget?.demandLease(performance.now());
    return new Connection(this.#options.listener, this.#tls, this.#count.tally, owner, this.#nextSource());
  }

  #nextSource(): string | undefined {
    const nth = this.#connections++;
    const opens = opensConnections(this.#options.connectionPolicy, nth - this.#users.length);
    if (!opens || this.#sources === 1) return undefined;
    const { index, of } = this.#options.share;
    return sourceAddress(index + of * nth);
  }

  connected(_user: VirtualUser): void {
    this.#countConnected();
  }

  connectFailed(_user: VirtualUser, outcome: RequestOutcome, detail: string): void {
    this.recorder.recordError(-1, outcome === 'connection_closed_early' ? 'connect_failed' : outcome, detail);
    this.#countConnected();
  }

  ended(user: VirtualUser, succeeded: boolean, atMs: number, latencyMs: number): void {
    if (this.#onTurn !== null) {
      if (succeeded) this.recorder.succeededInWindow++;
      this.#onTurn(this.#users.indexOf(user), succeeded, atMs, latencyMs);
      return;
    }
    this.#busy--;
    this.#lastDoneMs = atMs;
    if (succeeded) {
      this.#transactionsInWindow += this.#partInWindow(user.begunAtMs, atMs);
      if (atMs >= this.windowFromMs && atMs < this.#windowToMs) this.recorder.succeededInWindow++;
      this.#continue(user, atMs);
    } else this.#continueAfterPause(user, atMs);
  }

  /**
   * How much of a transaction fell into the window. Users who began together end together, so a count of ends would move by
   * all of them at once with the least shift of a burst's edge.
   */
  #partInWindow(fromMs: number, toMs: number): number {
    const insideMs = Math.min(toMs, this.#windowToMs) - Math.max(fromMs, this.windowFromMs);
    return toMs > fromMs ? Math.max(0, insideMs) / (toMs - fromMs) : 0;
  }

  /** The slot does not wait for a pausing user: it may end before, and the next one starts with all users anew. */
  #continueAfterPause(user: VirtualUser, atMs: number): void {
    const slot = this.#slotNumber;
    setTimeout(() => {
      if (slot === this.#slotNumber) this.#continue(user, performance.now());
    }, pauseAfterFailureMs);
    this.#settleWhenIdle(atMs);
  }

  #continue(user: VirtualUser, nowMs: number): void {
    if (!this.#running || user.busy) return;
    const arrivals = this.#arrivals;
    if (arrivals !== null) {
      const next = arrivals.takeWaiting();
      if (next === null) this.#free.push(user);
      else this.#begin(user, next.dueAtMs, next.releasedAtMs, nowMs);
    } else if (nowMs < this.#windowToMs) this.#begin(user, nowMs, nowMs, nowMs);
    this.#settleWhenIdle(nowMs);
  }

  #begin(user: VirtualUser, dueAtMs: number, releasedAtMs: number, nowMs: number): void {
    this.#busy++;
    const row = this.#row;
    this.#row += this.#rowStep;
    user.begin(row, dueAtMs, releasedAtMs, nowMs);
  }

  #taking(users: number | undefined): VirtualUser[] {
    return users === undefined ? [...this.#users] : this.#users.slice(0, ownPart(users, this.#options.share));
  }

  #runClosed(users: readonly VirtualUser[], nowMs: number): void {
    this.#arrivals = null;
    const end = setTimeout(() => this.#settleWhenIdle(performance.now()), this.#windowToMs - nowMs + 1);
    end.unref();
    for (const user of users) this.#begin(user, nowMs, nowMs, performance.now());
  }

  #runOpen(ratePerS: number, rampMs: number, fromMs: number, pacing: Metronome): void {
    const { share } = this.#options;
    this.#arrivals = new Arrivals(
      { ratePerS, rampMs, fromMs, toMs: this.#windowToMs, share },
      {
        release: (dueAtMs, nowMs) => {
          const user = this.#free.pop();
          if (user === undefined) return false;
          this.#begin(user, dueAtMs, nowMs, nowMs);
          return true;
        },
        finished: () => this.#settleWhenIdle(performance.now()),
      },
      pacing,
    );
    this.#arrivals.start();
  }

  #settleWhenIdle(nowMs: number): void {
    const expecting = this.#arrivals === null ? nowMs < this.#windowToMs : !this.#arrivals.exhausted;
    if (!this.#running || this.#busy > 0 || expecting) return;
    this.#running = false;
    this.#settle?.();
  }

  #countConnected(): void {
    this.#opener.opened();
    if (this.#opener.idle && !this.#running) this.#settle?.();
  }

  /** Resolves when the users have nothing left to do; requests over their time are ended on the way. */
  #settled(): Promise<void> {
    const watch = setInterval(() => {
      this.endOverdue();
      this.#endBacklog();
    }, watchEveryMs);
    return new Promise((resolve) => {
      this.#settle = () => {
        clearInterval(watch);
        this.#settle = null;
        resolve();
      };
    });
  }

  /** Ends the requests that have taken longer than they may. */
  endOverdue(): void {
    if (this.#halted) return;
    const limit = this.#options.requestTimeoutMs;
    const now = performance.now();
    for (const user of this.#users) {
      const since = user.waitingSinceMs;
      if (since > 0 && now - since > limit)
        user.abort('timed_out', `no complete answer within ${limit / 1000} s`);
    }
  }

  #endBacklog(): void {
    const now = performance.now();
    if (this.#arrivals === null || now < this.#windowToMs + longestBacklogMs) return;
    for (const { dueAtMs, releasedAtMs } of this.#arrivals.takeAllWaiting()) {
      if (releasedAtMs >= this.windowFromMs) this.recorder.recordGivenUp(now - releasedAtMs, now - dueAtMs);
    }
    this.#settleWhenIdle(now);
  }

  clear(): void {
    this.#arrivals = null;
    this.#count.clear(this.#users);
  }

  /** All that was counted since `clear`. */
  collect(): LoadPart {
    return this.#count.collect(this.#users, this.#tls?.negotiated ?? null);
  }

  /** Connections are opened while the slot runs, as part of what is measured. */
  get #opensInSlot(): boolean {
    return this.closesAfterTransaction || this.requestsPerConnection === 1 || this.#serverCloses;
  }

  /** Whether nearly every request has needed its own connection. Connections opened in advance would spare a slot its first handshakes. */
  get #serverCloses(): boolean {
    const requests = this.requestsInAll;
    return requests > 2 * this.#users.length && this.#count.openedInAll > nearlyAll * requests;
  }
}
