import { problem } from '../../shared/problem.ts';
import { readConfig } from '../config.ts';
import { startServer } from '../start-server.ts';
import { untilSignal } from './until-signal.ts';

export const serveHelp = `Usage: npx tls-toll serve

Opens the dashboard and stays until it is told to stop (Ctrl-C).

Environment:
  HOST            address to listen on (127.0.0.1)
  PORT            port (7300; 0 takes a free one)
  TLS_TOLL_DATA   directory for runs, certificates and the demo shop (data)
  DATABASE_URL    PostgreSQL for the runs instead of SQLite
  STOREFRONT_DATABASE_URL  PostgreSQL for the demo shop instead of SQLite
  CHROMIUM_PATH   Chromium for the cache section
  LOG_LEVEL       silent, error, warn, info or debug (warn)
`;

export async function serve(args: string[]): Promise<number> {
  if (args[0] !== undefined)
    throw problem('invalid_arguments', `serve takes no arguments, so not ${args[0]}.`);
  const server = await startServer(readConfig(process.env));
  process.stdout.write(`TLS Toll listens on ${server.url}\n`);
  await untilSignal();
  await server.close();
  return 0;
}
