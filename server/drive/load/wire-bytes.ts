import type { Socket } from 'node:net';

type Counter = { bytesRead?: number; bytesWritten?: number; _parent?: Counter };

/**
 * Bytes that a socket has read from and written to the kernel, TLS records and handshake included.
 * Node's own `bytesRead` of a TLS socket counts decrypted bytes, and it offers no public counter of the TCP
 * stream below one that it opened itself: that is `_handle._parent`, a private field, used here only and
 * guarded by this file's test.
 */
export function wireBytesOf(socket: Socket): { read: number; written: number } {
  const handle = (socket as unknown as { _handle: Counter | null })._handle;
  const stream = handle?._parent ?? handle;
  return { read: stream?.bytesRead ?? 0, written: stream?.bytesWritten ?? 0 };
}
