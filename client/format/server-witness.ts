import type { ServerWitness } from '../../shared/target/target.ts';

/** What two connections showed, the second of which offered the session of the first. */
export function printWitness({ client, server, agreed }: ServerWitness): string {
  const seen = client.map((resumed) => (resumed ? 'resumed' : 'full')).join(', then ');
  const counted = server === null ? 'the client only' : 'client and server';
  return [
    `Handshakes: ${seen}, counted by ${counted}`,
    ...(agreed === undefined ? [] : [printAgreed(agreed)]),
  ].join('. ');
}

/** Most servers know less than a client does: what they say is within what it says. */
function printAgreed({ client, server }: NonNullable<ServerWitness['agreed']>): string {
  const parts = client.split(' ').join(', ');
  if (server === null) return `Negotiated: ${parts}, as the client says`;
  if (server === client) return `Negotiated: ${parts}, as both say`;
  return `Negotiated: ${parts}; the server says ${server.split(' ').join(', ')}`;
}
