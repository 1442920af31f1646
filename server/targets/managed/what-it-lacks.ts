import type { ManagedTarget } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { managedServers } from './managed-servers.ts';

type Asked = Pick<ManagedTarget, 'server' | 'keepAlive' | 'clientCertificates'>;

/** What is asked of a server that it cannot do, in a sentence. */
export function whatItLacks({
  server,
  keepAlive,
  clientCertificates,
}: Asked): { field: 'keepAlive' | 'clientCertificates'; message: string } | null {
  const { lacks = [] } = managedServers[server];
  const title = serverTitles[server];
  if (!keepAlive && lacks.includes('closing')) {
    return {
      field: 'keepAlive',
      message: `${title} cannot close a connection after each response. Leave keep-alive on.`,
    };
  }
  if (clientCertificates && lacks.includes('clientCertificates')) {
    return {
      field: 'clientCertificates',
      message: `${title} cannot ask clients for certificates. Choose another server.`,
    };
  }
  return null;
}
