import type { ServerWitness } from '../../shared/target/target.ts';

/** What two connections showed, the second of which offered the session of the first. */
export function printWitness({ client, server }: ServerWitness): string {
  const seen = client.map((resumed) => (resumed ? 'resumed' : 'full')).join(', then ');
  return server === null
    ? `Handshakes: ${seen}, counted by the client only`
    : `Handshakes: ${seen}, counted by client and server`;
}
