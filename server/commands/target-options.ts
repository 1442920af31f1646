import { problem } from '../../shared/problem.ts';
import type { ManagedTargetInput, TargetInput } from '../../shared/target.ts';
import { readText } from './read-text.ts';

type Options = OriginOptions & ServerOptions & { target?: string | undefined };

type OriginOptions = {
  http?: string | undefined;
  https?: string | undefined;
  ca?: string | undefined;
  pid?: number | undefined;
};

type ServerOptions = {
  key?: string | undefined;
  workers?: number | undefined;
  document?: string[] | undefined;
  keepAliveAtServer?: boolean | undefined;
  resumptionAtServer?: boolean | undefined;
  clientCertificates?: boolean | undefined;
  ktls?: boolean | undefined;
};

/** Two origins or a server, or the storefront without any. Throws invalid_arguments, file_unreadable. */
export function targetOf({ target, http, https, ca, pid, ...ofServer }: Options): TargetInput {
  if (target !== undefined && target !== 'storefront') {
    if (http !== undefined || https !== undefined) {
      throw problem(
        'invalid_arguments',
        '--target names a server to start, --http and --https one that runs.',
      );
    }
    return serverOf(target, ofServer);
  }
  const { key, workers, document, clientCertificates, ktls } = ofServer;
  const { keepAliveAtServer = true, resumptionAtServer = true } = ofServer;
  const given = [key, workers, document, clientCertificates, ktls].some((option) => option !== undefined);
  if (given || !keepAliveAtServer || !resumptionAtServer) {
    throw problem('invalid_arguments', 'The options of a server need its name: --target nginx.');
  }
  if (http === undefined && https === undefined) return { kind: 'storefront' };
  if (http === undefined || https === undefined) {
    throw problem('invalid_arguments', '--http and --https go together: one origin for each side.');
  }
  return { kind: 'origins', http, https, ca: ca === undefined ? undefined : readText(ca, '--ca'), pid };
}

/** What is wrong with a value is the schema's to say. */
function serverOf(
  server: string,
  { key, workers, document, keepAliveAtServer, resumptionAtServer, clientCertificates, ktls }: ServerOptions,
): TargetInput {
  const target = {
    ...{ kind: 'managed', server, key, workers, clientCertificates, kTls: ktls },
    ...{ keepAlive: keepAliveAtServer, resumption: resumptionAtServer, documents: document?.map(Number) },
  };
  return target as ManagedTargetInput;
}
