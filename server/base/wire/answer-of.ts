import type { ClientRequest, IncomingMessage } from 'node:http';

/** A server answered 101 to a request that asked for no other protocol. */
export class SwitchedProtocols extends Error {
  constructor() {
    super('it answered 101 Switching Protocols to an ordinary request');
    this.name = 'SwitchedProtocols';
  }
}

/**
 * The response to a request. Rejects as soon as none can come: on an error, when the connection ends, and at a 101. Without a listener for
 * `upgrade`, `node:http` drops a connection that switches protocols and emits neither a response nor an error, not even on an aborted
 * signal.
 */
export function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asked.once('response', (response) => {
    if (response.statusCode !== 101) return resolve(response);
    reject(new SwitchedProtocols());
    asked.destroy();
  });
  asked.once('upgrade', (_response, socket) => {
    reject(new SwitchedProtocols());
    socket.destroy();
  });
  asked.on('error', reject);
  asked.once('close', () => reject(new Error('the connection ended without a response')));
  return promise;
}
