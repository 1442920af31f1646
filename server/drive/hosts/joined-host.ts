import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { GeneratorHost, HostClock } from '../../../shared/measurement/runner.ts';
import {
  type Answer,
  type AnswerProblem,
  OpenCalls,
  type Question,
} from '../../base/process/asked-process.ts';
import { monotonicUs } from '../../base/process/cpu.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import { quantile } from '../../method/statistics/intervals.ts';
import { bytesReached, questions } from '../load/load-messages.ts';
import {
  type BeatReply,
  beatEveryMs,
  beatReplySchema,
  encodeFrame,
  type Hello,
  type Order,
  replySchema,
} from './host-protocol.ts';

/** Round trips, at four a second: few enough that the clocks have not drifted apart, enough that one was quick. */
const kept = 24;
const fewestTrips = 5;

type Trip = { roundTripUs: number; offsetUs: number; wallOffsetMs: number };

/**
 * Estimates how far another host's clock is ahead. The host read its clock at some moment within a round trip, so the shortest trip
 * gives the best estimate, to within half of that trip (as NTP does, RFC 5905).
 */
export class ClockEstimate {
  readonly #trips: Trip[] = [];

  /** @param there the host's clocks during the trip; the other times are on ours */
  add(sentUs: number, receivedUs: number, there: { atUs: number; wallMs: number }, wallMs: number): void {
    const roundTripUs = Math.max(0, receivedUs - sentUs);
    this.#trips.push({
      roundTripUs,
      offsetUs: there.atUs - (sentUs + receivedUs) / 2,
      wallOffsetMs: there.wallMs - (wallMs - roundTripUs / 2000),
    });
    if (this.#trips.length > kept) this.#trips.shift();
  }

  get isKnown(): boolean {
    return this.#trips.length >= fewestTrips;
  }

  /** Offset of the monotonic clock. Throws before the first trip. */
  get offsetUs(): number {
    return this.#shortest.offsetUs;
  }

  /** The 90th percentile. */
  get usualTripUs(): number {
    return quantile(this.#tripsUs, 0.9);
  }

  describe(): HostClock | null {
    if (!this.isKnown) return null;
    const { roundTripUs, wallOffsetMs } = this.#shortest;
    return {
      offsetMs: Math.round(wallOffsetMs * 10) / 10,
      withinUs: Math.round(roundTripUs / 2),
      roundTripUs: Math.round(quantile(this.#tripsUs, 0.5)),
    };
  }

  get #tripsUs(): number[] {
    return this.#trips.map((trip) => trip.roundTripUs);
  }

  get #shortest(): Trip {
    const [first, ...others] = this.#trips;
    if (first === undefined) throw new Error('its clock is not known yet');
    return others.reduce((best, trip) => (trip.roundTripUs < best.roundTripUs ? trip : best), first);
  }
}

type Asked = typeof questions;

/** Added to the time that an answer takes. */
const graceMs = 15_000;
/** A host that answers no beat for this long is lost. */
const silentMs = 5000;
/** Sent faster than the others, to know the clock soon after a host has joined. */
const quickBeats = 8;

/** A host that has joined: its clock, and the conversation with it. */
export class JoinedHost {
  readonly name: string;
  readonly cores: number;
  readonly address: string;
  readonly clock = new ClockEstimate();
  /** Resolves when its connection has ended. */
  readonly gone: Promise<void>;
  readonly #hello: Hello;
  readonly #socket: TLSSocket;
  readonly #onChange: () => void;
  readonly #joinedAt = Date.now();
  #calls: OpenCalls;
  #onRelease = () => {};
  readonly #sentUs = new Map<number, number>();
  #beats = 0;
  #heardMs = performance.now();
  #beating: NodeJS.Timeout | undefined;
  #fence: number | null = null;

  constructor(hello: Hello, socket: TLSSocket, onChange: () => void) {
    this.name = hello.name;
    this.cores = hello.cores;
    this.address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    this.#hello = hello;
    this.#socket = socket;
    this.#onChange = onChange;
    this.#calls = this.#newCalls();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    socket.once('close', () => {
      clearTimeout(this.#beating);
      this.#calls.close(lostProblem(this.name));
      this.#onRelease();
      resolve();
    });
    this.#beat();
  }

  get isTaken(): boolean {
    return this.#fence !== null;
  }

  describe(): GeneratorHost {
    const { name, cores, allow } = this.#hello;
    return {
      ...{ name, address: this.address, cores, allow, joinedAt: this.#joinedAt },
      state: this.isTaken ? 'busy' : 'idle',
      clock: this.clock.describe(),
    };
  }

  /** Takes the content of a frame. Anything but a reply ends the connection. */
  hear(said: unknown): void {
    const beat = beatReplySchema.safeParse(said);
    if (beat.success) this.#heardBeat(beat.data);
    else this.#heardReply(said);
  }

  #heardReply(said: unknown): void {
    const reply = replySchema.safeParse(said);
    if (!reply.success) {
      this.leave();
      return;
    }
    const { fence, ...answer } = reply.data;
    // The answer to an earlier run.
    if (fence !== this.#fence) return;
    if (this.#calls.take(answer) !== null) this.leave();
  }

  #newCalls(): OpenCalls {
    return new OpenCalls((refusal) => refusalOf(this.name, refusal));
  }

  /**
   * Starts its processes, and ends what an earlier run left open.
   * @param signal ends its load at once, and rejects its calls with the reason
   */
  async take(fence: number, processes: number, signal: AbortSignal): Promise<void> {
    this.release();
    signal.throwIfAborted();
    this.#fence = fence;
    this.#calls = this.#newCalls();
    const end = () => this.release(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    this.#onRelease = () => signal.removeEventListener('abort', end);
    await this.#call((call) => ({ type: 'take', call, fence, processes }), z.void(), 0);
  }

  /** Asks one of its processes. Rejects with generator_lost once it is lost. */
  ask<Name extends keyof Asked & string>(
    process: number,
    name: Name,
    question: Question<Asked, Name>,
    expectedMs: number,
  ): Promise<Answer<Asked, Name>> {
    const fence = this.#fence ?? 0;
    return this.#call(
      (call) => ({ type: 'ask', call, fence, process, name, question }),
      questions[name].answer as never,
      expectedMs,
    );
  }

  /** Ends its load and rejects its calls. */
  release(reason: Error = lostProblem(this.name)): void {
    if (this.#fence === null) return;
    this.#say({ type: 'release', fence: this.#fence });
    this.#fence = null;
    this.#calls.close(reason);
    this.#onRelease();
    this.#onChange();
  }

  leave(): void {
    this.#socket.destroy();
  }

  async #call<Result>(
    orderOf: (call: number) => Order,
    answer: Parameters<OpenCalls['open']>[0],
    expectedMs: number,
  ): Promise<Result> {
    const { call, answered } = this.#calls.open(answer);
    const late = setTimeout(() => this.leave(), expectedMs + graceMs);
    this.#say(orderOf(call));
    try {
      return (await answered) as Result;
    } finally {
      clearTimeout(late);
    }
  }

  #beat(): void {
    if (performance.now() - this.#heardMs > silentMs) {
      this.leave();
      return;
    }
    const beat = ++this.#beats;
    this.#sentUs.set(beat, monotonicUs());
    this.#say({ type: 'beat', beat, fence: this.#fence });
    this.#beating = setTimeout(() => this.#beat(), beat < quickBeats ? beatEveryMs / 10 : beatEveryMs);
  }

  #heardBeat({ beat, ...there }: BeatReply): void {
    const receivedUs = monotonicUs();
    const sentUs = this.#sentUs.get(beat);
    if (sentUs === undefined) {
      this.leave();
      return;
    }
    this.#sentUs.delete(beat);
    this.#heardMs = performance.now();
    const knew = this.clock.isKnown;
    this.clock.add(sentUs, receivedUs, there, Date.now());
    if (!knew && this.clock.isKnown) this.#onChange();
  }

  #say(order: Order): void {
    if (!this.#socket.destroyed) this.#socket.write(encodeFrame(order));
  }
}

function lostProblem(name: string): ProblemError {
  return problem('generator_lost', `The connection to the generator ${name} was lost.`);
}

/** @param refusal as the host wrote it: put on one line, because terminals and logs print it */
function refusalOf(name: string, refusal: AnswerProblem): Error {
  const line = refusal.message
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
  if (line.startsWith(bytesReached)) return problem('limit_reached', `${line}.`);
  return problem('generator_refused', { detail: `The generator ${name}: ${line}.`, ...detailsOf(refusal) });
}
