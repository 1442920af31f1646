import type { Duplex } from 'node:stream';

/** Large amounts go in pieces of so many bytes, the same ones over and over, as in 1997. */
const pieceBytes = 8192;
const piece = Buffer.alloc(pieceBytes, 'x');

/** Writes so many bytes, no faster than they are taken. */
export function pour(stream: Duplex, bytes: number): void {
  let left = bytes;
  while (left > 0) {
    const next = left < pieceBytes ? piece.subarray(0, left) : piece;
    left -= next.length;
    if (!stream.write(next) && left > 0) {
      stream.once('drain', () => pour(stream, left));
      return;
    }
  }
}

export function echo(stream: Duplex): void {
  stream.on('data', (read: Buffer) => {
    if (stream.write(read)) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
}

/** Calls back when so many bytes have been read. */
export function count(stream: Duplex, bytes: number, done: () => void): void {
  let left = bytes;
  stream.on('data', (read: Buffer) => {
    left -= read.length;
    if (left === 0) done();
  });
}
