import { isLoopback } from '../../../shared/base/loopback.ts';
import { problem } from '../../../shared/base/problem.ts';
import { findRunningServer } from '../../life/database/data-directory.ts';
import { readConfig } from '../config.ts';

/** Where a dashboard answers, and what the command line is known by there; null for nothing. */
type Dashboard = { url: string; key: string | null };

/** The server that TLS_TOLL_SERVER names, or the one that runs on the data directory; null where none does. Throws invalid_environment. */
export async function findDashboard(environment: NodeJS.ProcessEnv = process.env): Promise<Dashboard | null> {
  const { TLS_TOLL_SERVER: server = '', TLS_TOLL_KEY: key = '' } = environment;
  if (server === '') {
    const { dataDirectory } = readConfig({ ...environment, HOST: '' });
    return findRunningServer(dataDirectory);
  }
  const url = URL.parse(server);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw problem('invalid_environment', 'TLS_TOLL_SERVER is an address such as https://toll.example.com.');
  }
  // Fetch would name the value in its error, and logs of CI keep that.
  if (!/^[!-~]*$/.test(key.trim())) {
    throw problem(
      'invalid_environment',
      'TLS_TOLL_KEY holds more than a key: it has spaces or several lines.',
    );
  }
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain && key.trim() !== '' && environment.TLS_TOLL_PLAIN !== 'allowed') {
    throw problem(
      'invalid_environment',
      `TLS_TOLL_KEY would travel to ${url.host} unencrypted. Begin TLS_TOLL_SERVER with https, or set TLS_TOLL_PLAIN=allowed in a network that you trust.`,
    );
  }
  return { url: url.origin, key: key.trim() === '' ? null : key.trim() };
}
