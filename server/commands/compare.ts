import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CreateRunInput } from '../../shared/api.ts';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { type RunDocument, type RunRequest, runDocumentSchema, runRequestSchema } from '../../shared/run.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import { readConfig } from '../config.ts';
import { findRunningServer } from '../database/data-directory.ts';
import { printMarkdown } from '../kinds/comparison/report/markdown.ts';
import { printTable } from '../kinds/comparison/report/table.ts';
import { startServer } from '../start-server.ts';
import { type ApiClient, connectTo } from './api-client.ts';
import { printProgress } from './print-progress.ts';
import { askForSecrets, readSecrets } from './secret-options.ts';

export const compareHelp = `Usage: npx tls-toll compare [OPTIONS]

Runs a paired comparison and prints its table. Without --http and --https it loads the built-in shop.
Progress goes to stderr, the result to stdout.

  --preset NAME     quick (half a minute, the default), standard (2 to 4 minutes), thorough (10 minutes)
  --null            compare HTTP with a second, identical HTTP listener: must find no overhead
  --transports A,B  what the two sides speak: http, https, h2c or h2, the last two HTTP/2 (http,https)
  --http URL        origin of the plain side, such as http://127.0.0.1:8080
  --https URL       origin of the TLS side, such as https://127.0.0.1:8443
  --ca FILE         PEM of the authority that signed the TLS side's certificate
  --pid N           process of the target; found by its listening port when left out
  --scenario WHAT   id of a scenario or of one of its revisions, or a JSON file (search, which
                    fits the built-in shop: name one of your own for another site)
  --secret NAME=VARIABLE  value of a secret of the scenario, from an environment variable; asked for
                    when left out and there is somebody to ask
  --connections N   virtual users, each with a connection of its own (8)
  --connection-policy NAME  keep-alive, connection-per-transaction, connection-per-request
                    or requests-per-connection
  --requests-per-connection N  of the last of these policies (100)
  --rate N          transactions a second at the steady point (half of what the slower side manages)
  --ramp MS         let the rate rise for so long at the start of a slot (0)
  --think-time F    factor on the think times of the scenario, 0 for none (1 where slots hold them, else 0)
  --generators N    processes of the load generator (a third of the cores)
  --resumption NAME none, tickets or mix: how new TLS connections begin
  --resumed-share F share of the new connections that resume, with mix (0.7)
  --tls VERSION     TLSv1.3 or TLSv1.2
  --cipher NAME     the one cipher suite to offer, such as TLS_AES_128_GCM_SHA256
  --group NAME      the one key agreement group to offer, such as X25519MLKEM768
  --insecure        do not check the certificate
  --seed N          seed of the order of the blocks
  --json            print the document of the permalink
  --markdown        print a report in Markdown

Exit code: 0 finished, 2 refused, 1 failed.
`;

export async function compare(args: string[]): Promise<number> {
  const { request, secrets: given, print } = parseComparison(args);
  const config = readConfig(process.env);
  const running = await findRunningServer(config.dataDirectory);
  const server = running === null ? await startServer({ ...config, port: 0 }) : null;
  const api = connectTo(running?.url ?? server?.url ?? '');
  try {
    const { id, text } = await follow(api, {
      ...request,
      secrets: await askForSecrets(api, request, given),
    });
    if (running !== null) process.stderr.write(`Permalink: ${running.url}/r/${id}\n`);
    const document = runDocumentSchema.parse(JSON.parse(text));
    process.stdout.write(print(document, text));
    return exitCodeOf(document);
  } finally {
    await server?.close();
  }
}

async function follow(api: ApiClient, request: CreateRunInput): Promise<{ id: string; text: string }> {
  const { id } = await api.createRun(request);
  const cancel = () => void api.cancelRun(id, true);
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    for await (const event of api.runEvents(id)) printProgress(event, process.stderr);
    return { id, text: await api.readDocument(id) };
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

function exitCodeOf(document: RunDocument): number {
  if (document.problem !== null)
    process.stderr.write(`${document.problem.detail}\n${document.problem.advice}\n`);
  if (document.state === 'finished') return 0;
  return document.state === 'refused' ? 2 : 1;
}

type Print = (document: RunDocument, text: string) => string;

/** Throws invalid_arguments, file_unreadable. */
export function parseComparison(args: string[]): {
  request: RunRequest;
  secrets: SecretValues;
  print: Print;
} {
  const values = readOptions(args);
  if ((values.http === undefined) !== (values.https === undefined)) {
    throw problem('invalid_arguments', '--http and --https go together: one origin for each side.');
  }
  const target =
    values.http === undefined
      ? 'storefront'
      : {
          http: values.http,
          https: values.https,
          ...(values.ca === undefined ? {} : { ca: readText(values.ca, '--ca') }),
          ...(values.pid === undefined ? {} : { pid: Number(values.pid) }),
        };
  const parsed = runRequestSchema.safeParse({
    target,
    scenario: readScenario(values.scenario ?? 'search'),
    preset: values.preset,
    transports: values.null === true ? ['http', 'http'] : values.transports?.split(','),
    seed: numberOf(values.seed),
    connections: numberOf(values.connections),
    connectionPolicy: values['connection-policy'],
    requestsPerConnection: numberOf(values['requests-per-connection']),
    ratePerS: numberOf(values.rate),
    rampMs: numberOf(values.ramp),
    thinkTimeScale: numberOf(values['think-time']),
    generators: numberOf(values.generators),
    tls: {
      version: values.tls,
      resumption: values.resumption,
      resumedShare: numberOf(values['resumed-share']),
      cipher: values.cipher,
      group: values.group,
      verify: values.insecure !== true,
    },
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  const print: Print = values.json
    ? (_document, text) => `${text}\n`
    : values.markdown
      ? printMarkdown
      : printTable;
  return { request: parsed.data, secrets: readSecrets(values.secret ?? []), print };
}

function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        preset: { type: 'string' },
        null: { type: 'boolean' },
        http: { type: 'string' },
        https: { type: 'string' },
        ca: { type: 'string' },
        pid: { type: 'string' },
        scenario: { type: 'string' },
        secret: { type: 'string', multiple: true },
        connections: { type: 'string' },
        'connection-policy': { type: 'string' },
        'requests-per-connection': { type: 'string' },
        rate: { type: 'string' },
        ramp: { type: 'string' },
        'think-time': { type: 'string' },
        generators: { type: 'string' },
        resumption: { type: 'string' },
        'resumed-share': { type: 'string' },
        cipher: { type: 'string' },
        group: { type: 'string' },
        insecure: { type: 'boolean' },
        transports: { type: 'string' },
        tls: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'boolean' },
        markdown: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}

/** What is no number becomes NaN, which the schema refuses by the field's name. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** A file of JSON when there is one of that name, else an id. */
function readScenario(what: string): unknown {
  if (!/[./\\]/.test(what)) return what;
  const text = readText(what, '--scenario');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problem(
      'invalid_arguments',
      `--scenario: ${what} is not JSON: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem(
      'file_unreadable',
      `${option}: ${path} could not be read: ${error instanceof Error ? error.message : error}.`,
    );
  }
}
