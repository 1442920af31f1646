import { Socket } from 'node:net';

/** What happens to a socket while a connection has it. */
export type SocketOwner = {
  /** Into the buffer that all share. */
  received(length: number): void;
  endedByServer(): void;
  failed(error: NodeJS.ErrnoException): void;
  closed(): void;
};

type Held = { socket: Socket; owner: SocketOwner | null; connected: ((socket: Socket) => void) | null };

const mostFree = 256;
const free: Held[] = [];

/**
 * Connects a TCP socket. A socket that has closed is connected again for a later connection, as Node permits: making
 * one costs as much CPU as the rest of a request together.
 * @param connected when TCP stands
 */
export function connectPlain(
  to: { host: string; port: number },
  buffer: Buffer,
  owner: SocketOwner,
  connected: (socket: Socket) => void,
): Socket {
  const held = free.pop() ?? makeSocket(buffer);
  held.owner = owner;
  held.connected = connected;
  return held.socket.connect(to);
}

function makeSocket(buffer: Buffer): Held {
  const callback = (length: number): boolean => {
    held.owner?.received(length);
    return true;
  };
  const options = { noDelay: true, onread: { buffer, callback } };
  const socket = new Socket(options);
  const held: Held = { socket, owner: null, connected: null };
  socket.on('connect', () => held.connected?.(socket));
  socket.on('end', () => held.owner?.endedByServer());
  socket.on('error', (error) => held.owner?.failed(error));
  socket.on('close', (broken) => {
    const { owner } = held;
    held.owner = null;
    held.connected = null;
    if (!broken && free.length < mostFree) free.push(held);
    owner?.closed();
  });
  return held;
}
