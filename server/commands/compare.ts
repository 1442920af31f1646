import { pathScenario } from '../../shared/path-scenario.ts';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { type RunRequest, runRequestSchema } from '../../shared/run.ts';
import { pathSchema, type SecretValues } from '../../shared/scenario.ts';
import { serverKeys, serverNames } from '../../shared/target.ts';
import { measure } from './measure.ts';
import { readText } from './read-text.ts';
import { askForSecrets, readSecrets } from './secret-options.ts';
import { targetOf, withBothAddresses } from './target-options.ts';
import { collect, listOf, verb } from './verb.ts';

const options = verb('compare')
  .description(
    'Runs a paired comparison and prints its table. Without --target, --http and --https it loads the demo shop. Progress goes to stderr, the result to stdout.',
  )
  .option(
    '--preset <name>',
    'quick (half a minute, default), standard (2 minutes at most) or thorough (10 minutes)',
  )
  .option(
    '--transports <a,b>',
    'Transports of the two sides: http, https, h2c or h2 (default: http,https)',
    listOf,
  )
  .option('--null', 'Compare HTTP with a second, identical HTTP listener, which must show no overhead')
  .option('--launches <n>', 'Starts of the target (default: as many as the preset’s time holds)', Number)
  .option('--tolerance <share>', 'Size of an overhead that is none, such as 0.05 (default)', Number)
  .option('--seed <n>', 'Seed for all random orders', Number)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown')
  .optionsGroup('Target:')
  .option(
    '--target <name>',
    `A server of this machine, started for the run: ${serverNames.join(', ')} (default: the demo shop)`,
  )
  .option('--key <kind>', `Its key: ${serverKeys.join(', ')} (default: P-256)`)
  .option('--workers <n>', 'Its worker processes (default: 1)', Number)
  .option('--document <bytes>', 'Size of a document that it serves; repeatable (default: 10000)', collect)
  .option('--client-certificates', 'Have it demand a certificate of its clients: mutual TLS')
  .option('--ktls', 'Have it leave encryption to the kernel, where kernel and server can')
  .option('--no-keep-alive-at-server', 'Have it close each connection after one response')
  .option('--no-resumption-at-server', 'Have it resume no TLS session')
  .option(
    '--http <url>',
    'Address of the HTTP side, such as http://127.0.0.1:8080 (default: the other of ports 443 and 8443)',
  )
  .option(
    '--https <url>',
    'Address of the HTTPS side, such as https://127.0.0.1:8443 (default: the other of ports 80 and 8080)',
  )
  .option('--ca <file>', 'PEM file of the CA that signed the certificate of the HTTPS side')
  .option('--trust <sha256>', 'Trust the certificate of this fingerprint, for this run only')
  .option('--twin <url>', 'Origin of a second listener like the HTTP side’s (default: the HTTP side again)')
  .option('--pid <n>', 'Process ID of the target (default: found by its listening port)', Number)
  .optionsGroup('Load:')
  .option(
    '--path <path>',
    'Path to request instead of a scenario; repeatable (default: / with --http)',
    collect,
  )
  .option(
    '--scenario <id|file>',
    'ID of a scenario or of one of its revisions, or a JSON file (default: a search in the demo shop, a document of a server)',
  )
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable (default: ask on the terminal)',
    collect,
  )
  .option('--connections <n>', 'Virtual users, each with its own connection (default: 8)', Number)
  .option(
    '--connection-policy <name>',
    'keep-alive (default), connection-per-transaction, connection-per-request or requests-per-connection',
  )
  .option(
    '--requests-per-connection <n>',
    'Requests per connection with that connection policy (default: 100)',
    Number,
  )
  .option(
    '--rate <n>',
    'Transactions per second in open load (default: half of what the slower side can handle; none in quick)',
    Number,
  )
  .option('--ramp <ms>', 'Ramp-up time at the start of open load (default: 0)', Number)
  .option(
    '--think-time <factor>',
    'Factor on the think times of the scenario, 0 for none (default: 1 where they fit into the slots, otherwise 0)',
    Number,
  )
  .option('--pair-users <n>', 'Users who go from side to side in lockstep (default: 1)', Number)
  .option('--window <ms>', 'Time between two readings of the CPU in lockstep (default: 200)', Number)
  .option('--generators <n>', 'Load generator processes (default: a third of the cores)', Number)
  .optionsGroup('TLS:')
  .option('--tls <version>', 'TLSv1.3 (default) or TLSv1.2')
  .option('--cipher <name>', 'The only cipher suite to offer, such as TLS_AES_128_GCM_SHA256')
  .option('--group <name>', 'The only key agreement group to offer, such as X25519MLKEM768')
  .option('--resumption <name>', 'How new TLS connections start: none (default), tickets or mix')
  .option('--resumed-share <share>', 'Share of new connections that resume, with mix (default: 0.7)', Number)
  .option('--insecure', 'Do not verify the certificate');

export async function compare(args: string[]): Promise<number> {
  const { request, secrets, format } = parseComparison(args);
  const { comparison } = await import('../kinds/comparison/kind.ts');
  return measure(comparison, request, format, (api) => askForSecrets(api, request, secrets));
}

/** Throws invalid_arguments, file_unreadable. */
export function parseComparison(args: string[]): {
  request: RunRequest;
  secrets: SecretValues;
  format: 'json' | 'markdown' | 'terminal';
} {
  const values = options.parse(args, { from: 'user' }).opts();
  const parsed = runRequestSchema.safeParse({
    target: targetOf(withBothAddresses(values)),
    scenario: scenarioOf(values.path, values.scenario),
    preset: values.preset,
    transports: values.null ? ['http', 'http'] : values.transports,
    seed: values.seed,
    launches: values.launches,
    tolerance: values.tolerance,
    pairUsers: values.pairUsers,
    windowMs: values.window,
    connections: values.connections,
    connectionPolicy: values.connectionPolicy,
    requestsPerConnection: values.requestsPerConnection,
    ratePerS: values.rate,
    rampMs: values.ramp,
    thinkTimeScale: values.thinkTime,
    generators: values.generators,
    tls: {
      version: values.tls,
      resumption: values.resumption,
      resumedShare: values.resumedShare,
      cipher: values.cipher,
      group: values.group,
      verify: values.insecure !== true,
    },
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  const format = values.json ? 'json' : values.markdown ? 'markdown' : 'terminal';
  return { request: parsed.data, secrets: readSecrets(values.secret ?? []), format };
}

function scenarioOf([first, ...others]: readonly string[] = [], scenario: string | undefined): unknown {
  if (first === undefined) return readScenario(scenario);
  if (scenario !== undefined) {
    throw problem('invalid_arguments', '--path and --scenario both say what is requested: give one of them.');
  }
  const wrong = [first, ...others].find((path) => !pathSchema.safeParse(path).success);
  if (wrong !== undefined) {
    throw problem('invalid_arguments', `--path: “${wrong}” is not a path such as /shop.`);
  }
  return pathScenario([first, ...others]);
}

/** A file of JSON when there is one of that name, else an id. */
function readScenario(what: string | undefined): unknown {
  if (what === undefined || !/[./\\]/.test(what)) return what;
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
