import { Duplex } from 'node:stream';

/** One end of a connection without a kernel: what is written to it is read from its peer. */
export class MemoryEnd extends Duplex {
  /** What it has written. */
  bytesWritten = 0;
  /** Sees every piece that is written, before the peer does. */
  tap: ((piece: Buffer) => void) | null = null;
  #peer: MemoryEnd = this;
  #resume: (() => void) | null = null;

  static pair(): [MemoryEnd, MemoryEnd] {
    const near = new MemoryEnd();
    const far = new MemoryEnd();
    near.#peer = far;
    far.#peer = near;
    return [near, far];
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytesWritten += piece.length;
    this.tap?.(piece);
    // Who does not read soon keeps the writer waiting, as a full window would.
    if (this.#peer.push(piece)) done();
    else this.#peer.#resume = done;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  override _final(done: () => void): void {
    this.#peer.push(null);
    done();
  }
}
