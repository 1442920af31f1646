import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Permit } from '../../shared/target/permitted-target.ts';
import type { Listener } from '../../shared/target/target.ts';
import { Pace } from '../base/addresses/pace.ts';
import { strictest } from '../base/addresses/strictest.ts';
import { CheckProblem } from './preflight/check-problem.ts';

const mostHandshakes = 20;
const fewestHandshakes = 3;
/** For the handshakes of one side, where the rate allows few. */
const handshakesS = 4;

/**
 * What a check may do to a target on another host, all its sides together: connections and requests begin at the permitted
 * rate, and no more connections are open, and no more bytes sent and received, than its permit says.
 */
export class CheckBudget {
  readonly #permit: Permit;
  readonly #pace: Pace;
  readonly #open = new Set<Socket>();
  #waiting: (() => void)[] = [];
  #places: number;
  #closedBytes = 0;

  constructor(permit: Permit) {
    this.#permit = permit;
    this.#pace = new Pace(permit.caps.requestsPerS);
    this.#places = permit.caps.connections;
  }

  /** Null where all listeners are on this machine. */
  static of(listeners: readonly Pick<Listener, 'permit'>[]): CheckBudget | null {
    const permit = strictest(listeners);
    return permit === null ? null : new CheckBudget(permit);
  }

  /** Of one side: enough to see whether they are all alike, few enough to end soon. */
  static handshakes(budget: CheckBudget | null): number {
    if (budget === null) return mostHandshakes;
    const bearable = Math.floor(budget.#permit.caps.requestsPerS * handshakesS);
    return Math.min(mostHandshakes, Math.max(fewestHandshakes, bearable));
  }

  /** How long so many connections and requests have to wait, in whole ms. */
  waitMs(count: number): number {
    return Math.ceil((count / this.#permit.caps.requestsPerS) * 1000);
  }

  /** Resolves when another request may begin. Throws a CheckProblem when that is too late, or the bytes are used up. */
  async begin(signal: AbortSignal): Promise<void> {
    this.demandBytes();
    const waitMs = this.#pace.take(1, performance.now());
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => this.#tooSlow());
    if (signal.aborted) this.#tooSlow();
  }

  /** The same for a connection, which counts until it is closed. */
  async connect(signal: AbortSignal, open: () => Promise<Socket>): Promise<Socket> {
    await this.#takePlace(signal);
    try {
      await this.begin(signal);
      const socket = await open();
      this.#open.add(socket);
      socket.once('close', () => this.#closed(socket));
      if (socket.closed) this.#closed(socket);
      return socket;
    } catch (error) {
      this.#leavePlace();
      throw error;
    }
  }

  /** Throws a CheckProblem when more was sent and received than a run may. */
  demandBytes(): void {
    const open = [...this.#open].reduce((sum, socket) => sum + bytesOf(socket), 0);
    const { host, caps } = this.#permit;
    if (this.#closedBytes + open <= caps.bytes) return;
    throw new CheckProblem(
      'status',
      `The checks used up the ${caps.bytes / 1e6} MB allowed for ${host}. Raise its limit at /targets, or choose smaller responses.`,
    );
  }

  #closed(socket: Socket): void {
    if (!this.#open.delete(socket)) return;
    this.#closedBytes += bytesOf(socket);
    this.#leavePlace();
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    if (this.#places > 0) {
      this.#places--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const leave = () => {
      this.#waiting = this.#waiting.filter((each) => each !== resolve);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await promise.catch(() => this.#tooSlow()).finally(() => signal.removeEventListener('abort', leave));
  }

  #leavePlace(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#places++;
    else next();
  }

  #tooSlow(): never {
    const { host, caps } = this.#permit;
    throw new CheckProblem(
      'connect',
      `The checks could not finish in time within the limits of ${host}: ${caps.connections} connections and ${caps.requestsPerS} requests per second. Raise them at /targets.`,
    );
  }
}

function bytesOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
