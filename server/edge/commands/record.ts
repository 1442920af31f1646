import { recordingEndpoints } from '../../../shared/api/batch-endpoints.ts';
import { recordingRequestSchema } from '../../../shared/scenario/recorder.ts';
import { environmentOf, startChild } from '../../base/process/children.ts';
import { readConfig } from '../settings/config.ts';
import { connectTo, findDashboard, parsedBy } from './api-client.ts';
import { startDashboard, untilSignal } from './until-signal.ts';
import { verb } from './verb.ts';

const options = verb('record')
  .description(
    "Opens the dashboard's recorder at an address on this machine and prints its URL. What you do there becomes a scenario. Without a running dashboard it starts one and runs until you stop it with Ctrl-C.",
  )
  .argument('[url]', 'Address to start from, or storefront for the built-in one', 'storefront')
  .option('--no-open', 'Print the URL without opening a browser');

export async function record(args: string[]): Promise<number> {
  const { request, open } = parseRecord(args);
  const running = await findDashboard();
  const server = running === null ? await startDashboard(readConfig(process.env), { repeats: true }) : null;
  try {
    const origin = running?.url ?? server?.url ?? '';
    const local = running?.url ?? server?.localUrl ?? '';
    const key = running?.key ?? server?.key ?? null;
    const { url } = await connectTo({ url: local, key }).call(recordingEndpoints.createRecording, {
      body: request,
    });
    process.stdout.write(`${origin}${url}\n`);
    if (open) openInBrowser(`${origin}${url}`);
    if (server !== null) await untilSignal();
    return 0;
  } finally {
    await server?.close();
  }
}

/** Throws invalid_arguments. */
export function parseRecord(args: string[]) {
  const [url] = options.parse(args, { from: 'user' }).processedArgs;
  const withScheme = url === 'storefront' || url.includes('://') ? url : `http://${url}`;
  const request = parsedBy(recordingRequestSchema, { url: withScheme }, 'The address');
  return { request, open: options.opts().open };
}

/** Where there is a screen. It is a service: the address is printed in any case. */
function openInBrowser(url: string): void {
  const isMac = process.platform === 'darwin';
  if (!isMac && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const child = startChild(isMac ? 'open' : 'xdg-open', [url], {
    env: environmentOf('desktop'),
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => {});
  child.unref();
}
