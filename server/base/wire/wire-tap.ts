import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

const headBytes = 4096;

/** Stands between a socket and the TLS on top of it, and keeps the first bytes that passed each way. */
export class WireTap extends Duplex {
  readonly #socket: Socket;
  readonly #received = new Head();
  readonly #sent = new Head();

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  get received(): Buffer {
    return this.#received.bytes;
  }

  get sent(): Buffer {
    return this.#sent.bytes;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sent.add(chunk);
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
    this.#received.add(chunk);
    if (!this.push(chunk)) this.#socket.pause();
  }
}

class Head {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    if (this.#length >= headBytes) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}
