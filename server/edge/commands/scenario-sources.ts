import { basename } from 'node:path';
import { recordingEndpoints, scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import {
  type ImportReport,
  importFormatSchema,
  type LeftOut,
  type Secret,
  type TrafficChoices,
  trafficChoicesSchema,
} from '../../../shared/scenario/import.ts';
import { recordingRequestSchema } from '../../../shared/scenario/recorder.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { environmentOf, startChild } from '../../base/process/children.ts';
import { importFile } from '../../intake/import/apart/import-apart.ts';
import { readConfig } from '../settings/config.ts';
import { type ApiClient, connectTo, findDashboard, withDashboard } from './api-client.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { startDashboard, untilSignal } from './serve.ts';
import { readSecrets, savePicture } from './side-options.ts';
import { collect, verb } from './verb.ts';

const importOptions = verb('import')
  .description(
    `Turns a HAR file, a Playwright test, a recording from Chrome DevTools, curl commands or a JSON scenario into a scenario and prints it with everything that could not be imported. Code is only read, never executed. Secrets are replaced by \${secret:name}.`,
  )
  .argument('<file>')
  .option('--as <format>', 'har, playwright, devtools, curl or json (default: auto-detect)')
  .option('--name <name>', 'Name of the scenario (default: the name of the file or the test)')
  .option('--static', 'Keep style sheets, scripts, images, fonts and media')
  .option('--third-parties', 'Keep requests to other hosts and send them to the target')
  .option('--think-time <factor>', '1 keeps the pauses (default), 0.5 halves them, 0 removes them', numberIn)
  .option(
    '--not-secret <name>',
    'Keep the value of something that was taken for a secret; repeatable',
    collect,
  )
  .option(
    '--replay',
    'Replay the actions of a test or a DevTools recording in a browser to capture its requests',
  )
  .option('--at <origin>', 'Origin to replay at, or storefront (default: the original address)')
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  )
  .option('--save', 'Store the scenario in the dashboard and print where')
  .option('--json', 'Print the scenario, actions, unsupported lines, correlations and secrets as JSON');

export async function importScenario(args: string[]): Promise<number> {
  const { path, facts, json, save, replay } = parseImport(args);
  const read = await importFile(path, facts);
  const report =
    replay === null ? read : await withDashboard((api) => replayImport(api, read, { ...facts, ...replay }));
  const isEmpty = report.scenario === null && report.actions.length === 0;
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else if (!isEmpty) process.stdout.write(printImport(report));
  if (!json) printUnsupported(report);
  if (report.stuck !== undefined) {
    const fate = save ? ' Nothing was stored.' : '';
    process.stderr.write(`The replay stopped. ${report.stuck.sentence}${fate}\n`);
    savePicture(report.stuck);
    return 2;
  }
  if (isEmpty) throw nothingToImport();
  if (save) await saveImport(report);
  return 0;
}

function nothingToImport() {
  return problem('import_unreadable', 'It contains no requests to make a scenario from.');
}

/** Through the dashboard that runs on the data directory, or through a server that is started for it. */
async function saveImport({ scenario, site, actions, unsupported }: ImportReport): Promise<void> {
  if (scenario === null) throw nothingToImport();
  await withDashboard(async (api) => {
    const { id, revision } = await api.call(scenarioEndpoints.createScenario, {
      body: { scenario, origin: 'import', site, actions, unsupported },
    });
    process.stderr.write(`Stored: /scenarios/${id} (this revision: /s/${revision?.id})\n`);
    process.stderr.write(`npx tls-toll compare --scenario ${id}\n`);
  });
}

function printUnsupported({ unsupported }: ImportReport): void {
  for (const { line, reason } of unsupported) {
    process.stderr.write(line === null ? `${reason}\n` : `${line}: ${reason}\n`);
  }
}

/** Throws invalid_arguments. */
export function parseImport(args: string[]) {
  const [path] = importOptions.parse(args, { from: 'user' }).processedArgs;
  const { json = false, save = false, ...values } = importOptions.opts();
  const format = importFormatSchema.optional().safeParse(values.as);
  if (!format.success) {
    throw problem(
      'invalid_arguments',
      `--as: "${values.as}" is not one of ${importFormatSchema.options.join(', ')}.`,
    );
  }
  const choices = parsedBy(trafficChoicesSchema, {
    staticFiles: values.static,
    thirdParties: values.thirdParties,
    thinkTimeScale: values.thinkTime,
    declined: values.notSecret,
  });
  const name = values.name ?? basename(path).replace(/\.\w+$/, '');
  return {
    path,
    facts: { name, format: format.data, choices },
    json,
    save,
    /** Null: the actions are only read. */
    replay: values.replay ? { at: values.at ?? null, secrets: readSecrets(values.secret ?? []) } : null,
  };
}

type ReplayOptions = {
  /** `storefront`, an origin, or null for where the actions are written for. */
  at: string | null;
  secrets: SecretValues;
  name: string;
  choices: TrafficChoices;
};

/** The report once more, with the requests that its actions send when a browser does them. */
export async function replayImport(
  api: ApiClient,
  report: ImportReport,
  { at, secrets, name, choices }: ReplayOptions,
): Promise<ImportReport> {
  const { actions } = report;
  const { sid } = await api.call(recordingEndpoints.createReplay, {
    body: { actions, secrets, ...(at === null ? {} : { at }) },
  });
  const replayed = await api.call(recordingEndpoints.finishRecording, {
    params: { sid },
    body: { name: report.scenario?.name ?? name, choices },
  });
  return { ...replayed, unsupported: [...report.unsupported, ...replayed.unsupported] };
}

/** An import as text for a terminal: the steps, what was left out, and what there is to decide. */
export function printImport(report: ImportReport): string {
  const { scenario, actions, leftOut, correlations, secrets, notes } = report;
  const lines: string[] = [];
  if (scenario === null) lines.push('No requests found. Use --replay to capture them in a browser.');
  else {
    lines.push(`${scenario.name}: ${count(scenario.steps.length, 'step')}`);
    for (const [index, { method, path, expectStatus, thinkTimeMs }] of scenario.steps.entries()) {
      const pause = thinkTimeMs === 0 ? '' : `, after ${(thinkTimeMs / 1000).toFixed(1)} s`;
      lines.push(`  ${index + 1}. ${method} ${path} (${expectStatus}${pause})`);
    }
  }
  if (actions.length > 0) lines.push(`Browser: ${count(actions.length, 'action')}`);
  for (const left of leftOut) lines.push(describeLeftOut(left));
  for (const { extract, step, uses, accepted } of correlations) {
    const where = uses.map((use) => `${use.place} ${use.name} of step ${use.step + 1}`).join(', ');
    const verb = accepted ? 'Extracted' : 'Could be extracted';
    lines.push(`${verb} from the response of step ${step + 1}: \${${extract.variable}} for ${where}`);
  }
  for (const secret of secrets) lines.push(describeSecret(secret));
  return `${[...lines, ...notes].join('\n')}\n`;
}

function describeSecret({ name, why, declined }: Secret): string {
  if (declined) return `Kept as it is: ${name} (${why})`;
  const hint = declined === false ? `; --not-secret ${name} keeps its value` : '';
  return `Secret: \${secret:${name}} (${why})${hint}`;
}

function describeLeftOut({ reason, count: number, what }: LeftOut): string {
  return reason === 'static_file'
    ? `Left out: ${count(number, 'static file')} (${what.join(', ')}); --static keeps them`
    : `Left out: ${count(number, 'request')} to other hosts (${what.join(', ')}); --third-parties keeps them`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

const recordOptions = verb('record')
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
  const [url] = recordOptions.parse(args, { from: 'user' }).processedArgs;
  const withScheme = url === 'storefront' || url.includes('://') ? url : `http://${url}`;
  const request = parsedBy(recordingRequestSchema, { url: withScheme }, 'The address');
  return { request, open: recordOptions.opts().open };
}

/** Opens the address on a machine that has a screen. A failure is ignored, because the address is printed in any case. */
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
