import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { type RecordingRequest, recordingRequestSchema } from '../../shared/recorder.ts';
import { readConfig } from '../config.ts';
import { findRunningServer } from '../database/data-directory.ts';
import { startServer } from '../start-server.ts';
import { connectTo } from './api-client.ts';
import { untilSignal } from './until-signal.ts';

export const recordHelp = `Usage: npx tls-toll record [URL] [OPTIONS]

Opens the dashboard's recorder at an address on this machine, or at the built-in shop when none is given, and prints where
it is. What is done there becomes a scenario. Uses the dashboard that is running; when none is, it opens one and stays until
it is told to stop (Ctrl-C).

  --no-open           print the address only, without opening a browser

Exit code: 0 opened, 2 refused, 1 failed.
`;

export async function record(args: string[]): Promise<number> {
  const { request, open } = parseRecord(args);
  const config = readConfig(process.env);
  const running = await findRunningServer(config.dataDirectory);
  const server = running === null ? await startServer(config) : null;
  try {
    const origin = running?.url ?? server?.url ?? '';
    const { url } = await connectTo(origin).createRecording(request);
    process.stdout.write(`${origin}${url}\n`);
    if (open) openInBrowser(`${origin}${url}`);
    if (server !== null) await untilSignal();
    return 0;
  } finally {
    await server?.close();
  }
}

/** Throws invalid_arguments. */
export function parseRecord(args: string[]): { request: RecordingRequest; open: boolean } {
  const { values, positionals } = readOptions(args);
  const [url = 'storefront', another] = positionals;
  if (another !== undefined)
    throw problem('invalid_arguments', `record takes one address, so not ${another} as well.`);
  const withScheme = url === 'storefront' || url.includes('://') ? url : `http://${url}`;
  const request = recordingRequestSchema.safeParse({ url: withScheme });
  if (!request.success) throw problemOfIssues('invalid_arguments', request.error, 'The address');
  return { request: request.data, open: values['no-open'] !== true };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { 'no-open': { type: 'boolean' } } });
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}

/** Where there is a screen. It is a service: the address is printed in any case. */
function openInBrowser(url: string): void {
  const isMac = process.platform === 'darwin';
  if (!isMac && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const child = spawn(isMac ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
