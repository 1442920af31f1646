import type { Socket } from 'node:net';
import { badStreamError } from '../../../base/pinned/connect-pinned.ts';
import { longestLine } from './protocol.ts';

/** Calls `onLine` with every line that a socket brings; destroys the socket of whoever sends one without an end. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!socket.destroyed) onLine(line);
    if (rest.length > longestLine) socket.destroy(badStreamError('sends a line without an end'));
  });
}
