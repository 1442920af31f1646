import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

const headBytes = 4096;

/** Stands between a socket and the TLS on top of it, and keeps the first bytes that the server sent. */
export class ReceivingTap extends Duplex {
  readonly #socket: Socket;
  #head: Buffer[] = [];
  #headLength = 0;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  get head(): Buffer {
    return Buffer.concat(this.#head);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    if (this.#headLength < headBytes) {
      this.#head.push(chunk);
      this.#headLength += chunk.length;
    }
    if (!this.push(chunk)) this.#socket.pause();
  }
}

/**
 * Whether the first message of a TLS 1.3 server is a HelloRetryRequest: a ServerHello whose random is the hash of
 * that name. Source: RFC 8446, section 4.1.3.
 */
export function wasAskedToRetry(head: Buffer): boolean {
  const isServerHello = head[0] === 22 && head[5] === 2;
  return isServerHello && head.subarray(11, 43).equals(helloRetryRandom);
}

const helloRetryRandom = createHash('sha256').update('HelloRetryRequest').digest();
