import type { Listener } from '../../../shared/target.ts';
import type { NegotiatedTls } from '../../../shared/tls-profile.ts';
import { transportFacts } from '../../../shared/transport.ts';
import type { LoadPart } from '../messages.ts';
import { SlotRecorder } from '../slot-recorder.ts';
import type { Transaction } from './read-sample.ts';

/** What k6's samples of one arm come to. */
export class SampleCount {
  readonly recorder: SlotRecorder;
  negotiated: NegotiatedTls | null = null;
  readonly #listener: Listener;
  readonly #lifetime = { connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0 };
  #before = { ...this.#lifetime };
  #elapsedUs = 0;
  #windowUs = 0;
  #cpuUs = 0;

  constructor(listener: Listener, stepNames: readonly string[]) {
    this.#listener = listener;
    this.recorder = new SlotRecorder(listener.transport, stepNames);
  }

  clear(): void {
    this.recorder.clear();
    this.#before = { ...this.#lifetime };
    this.#elapsedUs = 0;
    this.#windowUs = 0;
    this.#cpuUs = 0;
  }

  /** @param inWindow whether latency and throughput are read from it */
  add({ requests, failure, latencyMs }: Transaction, inWindow: boolean): void {
    const { recorder } = this;
    const sums = { connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 };
    let executionMs: number | null = null;
    recorder.started++;
    for (const [step, request] of requests.entries()) {
      const [blockedMs, connectMs, tlsMs, ttfbMs, downloadMs, wholeMs, bytes, ownMs, tls] = request;
      recorder.requests++;
      recorder.bodyBytes += bytes;
      if (connectMs > 0) this.#lifetime.connectionsOpened++;
      // k6 offers no session, so every handshake is full.
      if (tls !== null) this.#shake(tls);
      if (ownMs !== null) executionMs = (executionMs ?? 0) + ownMs;
      const spans = { connectMs, tlsMs, ttfbMs, downloadMs };
      sums.connectMs += connectMs;
      sums.tlsMs += tlsMs;
      sums.ttfbMs += ttfbMs;
      sums.downloadMs += downloadMs;
      if (failure === null && inWindow) recorder.recordRequest(step, blockedMs + wholeMs, spans);
    }
    if (failure !== null) {
      recorder.recordError(failure.step, failure.outcome, failure.detail);
      return;
    }
    recorder.succeeded++;
    if (executionMs !== null) {
      recorder.executions++;
      recorder.executionUs += executionMs * 1000;
    }
    if (!inWindow) return;
    recorder.succeededInWindow++;
    recorder.recordTransaction(latencyMs, sums);
  }

  addTime(elapsedUs: number, windowUs: number, cpuUs: number): void {
    this.#elapsedUs += elapsedUs;
    this.#windowUs += windowUs;
    this.#cpuUs += cpuUs;
  }

  get opened(): { connectionsOpened: number; handshakesFull: number; handshakesResumed: number } {
    const { connectionsOpened, handshakesFull } = this.#lifetime;
    return {
      connectionsOpened: connectionsOpened - this.#before.connectionsOpened,
      handshakesFull: handshakesFull - this.#before.handshakesFull,
      handshakesResumed: 0,
    };
  }

  /** Without bytes on the wire: k6 counts those of an iteration, not of an arm. */
  collect(): LoadPart {
    return {
      ...this.recorder.pack(),
      elapsedUs: Math.round(this.#elapsedUs),
      windowUs: Math.round(this.#windowUs),
      due: null,
      wireBytesRead: 0,
      wireBytesWritten: 0,
      ...this.opened,
      lifetime: { ...this.#lifetime },
      negotiated: this.negotiated,
      cpuUs: this.#cpuUs,
    };
  }

  #shake([version, cipher]: [string, string]): void {
    this.#lifetime.handshakesFull++;
    this.negotiated = {
      // As OpenSSL writes it: tls1.3 is TLSv1.3.
      protocol: version.replace(/^tls/, 'TLSv'),
      cipher,
      group: null,
      key: null,
      alpn: transportFacts[this.#listener.transport].alpn,
    };
  }
}
