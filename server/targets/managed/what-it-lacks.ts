import type { ManagedTarget } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { managedServers } from './managed-servers.ts';

type Asked = Pick<ManagedTarget, 'server' | 'keepAlive' | 'clientCertificates'>;
type Lacking = { field: 'keepAlive' | 'clientCertificates'; message: string };

/** What is asked of a server that it cannot do, in a sentence. */
export function whatItLacks({ server, keepAlive, clientCertificates }: Asked): Lacking | null {
  const { lacks = [] } = managedServers[server];
  const title = serverTitles[server];
  if (!keepAlive && lacks.includes('closing')) {
    const message = `${title} cannot close a connection after each response. Leave keep-alive on.`;
    return { field: 'keepAlive', message };
  }
  if (clientCertificates && lacks.includes('clientCertificates')) {
    const message = `${title} cannot ask clients for certificates. Choose another server.`;
    return { field: 'clientCertificates', message };
  }
  return null;
}
