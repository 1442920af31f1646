import type { Permit } from '../../../../shared/permitted-target.ts';
import { problem } from '../../../../shared/problem.ts';
import type { Step } from '../../../../shared/scenario.ts';
import { bytesReached } from '../../messages.ts';
import type { Transaction } from '../read-sample.ts';

/** Of a request: headers of both, and what TLS adds to them. */
const aroundBytes = 2048;
/** Of a full handshake, certificates included. */
const handshakeBytes = 8192;

/** What pods have sent to a target on another host and got from it, at most: k6 counts the bodies, and the rest is estimated. */
export class SentBytes {
  readonly #permit: Permit;
  readonly #ownBytes: readonly number[];
  #bytes = 0;

  constructor(permit: Permit, steps: readonly Step[]) {
    this.#permit = permit;
    this.#ownBytes = steps.map(({ path, headers, body }) =>
      Buffer.byteLength(JSON.stringify([path, headers, body])),
    );
  }

  /** Throws limit_reached. */
  spend(transactions: readonly Transaction[]): void {
    for (const { requests } of transactions) {
      for (const [step, [, , , , , , bodyBytes, , tls]] of requests.entries()) {
        const shaken = tls === null ? 0 : handshakeBytes;
        this.#bytes += aroundBytes + bodyBytes + (this.#ownBytes[step] ?? 0) + shaken;
      }
    }
    const { host, caps } = this.#permit;
    if (this.#bytes <= caps.bytes) return;
    throw problem('limit_reached', `${bytesReached} of ${host} (${caps.bytes / 1e6} MB) was reached.`);
  }
}
