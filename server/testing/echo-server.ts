import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A request as it came over the wire. The head ends before its empty line, one character a byte. */
export type Arrived = { head: string; body: Buffer };

/** For tests: a server that keeps every request byte by byte, and answers it with 200 and a cookie. */
export type EchoServer = {
  port: number;
  /** The requests since the last call. */
  take(): Arrived[];
  close(): Promise<void>;
};

const cookie = 'sid=1; Path=/';
const answer = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: ${cookie}\r\n\r\n`;

export async function openEchoServer(): Promise<EchoServer> {
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let message = firstIn(bytes); message !== null; message = firstIn(bytes)) {
        bytes = bytes.subarray(message.length);
        arrived.push(message);
        socket.write(answer);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    take: () => arrived.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function firstIn(bytes: Buffer): (Arrived & { length: number }) | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.subarray(0, end).toString('latin1');
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const length = end + 4 + bodyLength;
  if (bytes.length < length) return null;
  return { head, body: bytes.subarray(end + 4, length), length };
}

/** Sends a request and waits for its answer; returns the cookies that it sets. */
export async function sendTo(port: number, request: Buffer): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  socket.destroy();
  return [cookie];
}
