import { type ServerName, serverNames } from '../../shared/target/server-options.ts';
import type { FoundServer, ServerWitness } from '../../shared/target/target.ts';
import { serverTitles } from '../../shared/target/target-words.ts';

/** Servers as a select offers them. Until it is known what is installed, all can be chosen. */
export function serverChoices(found: readonly FoundServer[] | undefined) {
  return serverNames.map((name) =>
    choiceOf(
      name,
      found?.find((each) => each.name === name),
    ),
  );
}

/** Advice to install a server's missing packages; null if it is installed. */
export function whatIsMissing(server: FoundServer | undefined): string | null {
  return server === undefined || server.installed ? null : `install ${server.missing.join(' and ')}`;
}

function choiceOf(name: ServerName, server: FoundServer | undefined) {
  const [title, missing] = [serverTitles[name], whatIsMissing(server)];
  if (missing !== null) return { value: name, label: `${title}: ${missing}`, disabled: true };
  const version = server?.version ?? null;
  return { value: name, label: version === null ? title : `${title}, ${version}` };
}

/** Result of two connections, the second of which offered the session of the first. */
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
