import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { type TlsVersion, tlsVersionSchema } from '../../../shared/base/tls-profile.ts';
import { transportSchema } from '../../../shared/base/transport-schema.ts';
import { connectionPolicySchema, presetSchema } from '../../../shared/kinds/comparison/load-choice.ts';
import { type RunRequest, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import {
  blankLabel,
  changeLabel,
  type LabelChange,
  labelChangeSchema,
} from '../../../shared/measurement/label.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { pathScenario } from '../../../shared/scenario/path-scenario.ts';
import { pathSchema, type SecretValues } from '../../../shared/scenario/scenario.ts';
import { serverKeys, serverNames } from '../../../shared/target/server-names.ts';
import { type Gate, gateOf, openGate } from './gate.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { demandOneSite } from './measure-at-sites.ts';
import { countsOf, documentSize, keyName, nameOf, namesOf, numberIn } from './option-values.ts';
import { readText } from './read-text.ts';
import { type Repeat, repeatOf, repeatOptions } from './repeat-options.ts';
import { askForSecrets, readSecrets } from './secret-options.ts';
import { targetOf, withBothAddresses } from './target-options.ts';
import { tokenSecretOf } from './token-file.ts';
import { twinHint } from './twin-hint.ts';
import { collect, verb } from './verb.ts';
import { demandWritable } from './write-text.ts';

const sizesIn = countsOf({ ...documentSize, least: 0 });

const options = verb('compare')
  .description(
    'Runs a paired comparison and prints its table. Without --target, --http and --https it loads the built-in storefront. Progress goes to stderr, the result to stdout.',
  )
  .option(
    '--preset <name>',
    'quick (half a minute, default), standard (2 minutes at most) or thorough (10 minutes)',
    nameOf({ one: 'preset', many: 'Presets' }, presetSchema.options),
  )
  .option(
    '--transports <a,b>',
    'Transports of the two sides: http, https, h2c or h2 (default: http,https)',
    namesOf({ one: 'transport', many: 'Transports' }, transportSchema.options),
  )
  .option('--null', 'Compare HTTP with a second, identical HTTP listener, which must show no overhead')
  .option('--launches <n>', 'How often to start the target (default: as the preset’s time allows)', numberIn)
  .option('--tolerance <share>', 'Largest difference that counts as no overhead (default: 0.05)', numberIn)
  .option('--seed <n>', 'Seed for all random orders', numberIn)
  .option('--title <text>', 'Title of the run in lists (default: its scenario and target)')
  .option('--note <text>', 'Note to keep with the run')
  .option('--tag <name>', 'Tag to find the run by; repeatable', collect)
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown')
  .option('--comment', 'Print the verdict and its figures in Markdown, for a pull request')
  .option('--html <file>', 'Also write the page of the run to a file, which opens without the dashboard')
  .optionsGroup('Again and again, while the dashboard runs:')
  .option(...repeatOptions.repeat)
  .option(...repeatOptions.times, numberIn)
  .option(...repeatOptions.until)
  .optionsGroup('In a build:')
  .option(
    '--fail-if <condition>',
    'Exit with 3 if this is certain, such as "cpu_at_load > 20%" or "latency_p50 > 2 ms"; repeatable',
    collect,
  )
  .option('--strict', 'Judge by the center of the estimate, not by its whole interval')
  .option(
    '--against <id|file|baseline>',
    'Count the limits from an earlier run: its ID, its JSON in a file, or the baseline pinned in its series',
  )
  .option('--junit <file>', 'Write the outcome as JUnit XML')
  .optionsGroup('Target:')
  .option(
    '--target <name>',
    `A server of this machine, started for the run: ${serverNames.join(', ')} (default: the built-in storefront)`,
    nameOf({ one: 'target', many: 'Targets' }, [...serverNames, 'storefront']),
  )
  .option('--key <kind>', `Its key: ${serverKeys.join(', ')} (default: P-256)`, nameOf(keyName, serverKeys))
  .option('--chain <n>', 'Intermediate certificates that it sends, 0 to 3 (default: 0)', numberIn)
  .option('--workers <n>', 'Its worker processes (default: 1)', numberIn)
  .option(
    '--document <bytes>',
    'Size of a document that it serves; repeatable (default: 10000)',
    (text, previous: number[] = []) => [...previous, ...sizesIn(text)],
  )
  .option('--client-certificates', 'Require client certificates (mutual TLS)')
  .option('--ktls', 'Use kernel TLS, if kernel and server support it')
  .option('--no-keep-alive-at-server', 'Close each connection after one response')
  .option('--no-resumption-at-server', 'Do not resume TLS sessions')
  .option(
    '--http <url>',
    'Address of the HTTP side, such as http://127.0.0.1:8080 (default: the other of ports 443 and 8443)',
  )
  .option(
    '--https <url>',
    'Address of the HTTPS side, such as https://127.0.0.1:8443 (default: the other of ports 80 and 8080)',
  )
  .option('--ca <file>', 'PEM file of the CA that signed the HTTPS side’s certificate')
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this run only')
  .option('--twin <url>', 'Address of a second listener like the HTTP side’s (default: the HTTP side again)')
  .option('--pid <n>', 'Process ID of the target (default: found by its listening port)', numberIn)
  .option('--agent <host:port>', 'Agent on the target’s host, which reads its CPU, memory and disk there')
  .option('--agent-key <sha256>', 'Fingerprint of the agent’s key, as the agent prints it')
  .option('--agent-token-file <file>', 'File with the agent’s token, readable by its owner only')
  .option(
    '--prometheus <url>',
    'Exporter that is read where no agent may run, such as http://10.1.0.5:9256/metrics',
  )
  .option(
    '--prometheus-cpu <metric>',
    'Its counter of the target’s CPU seconds (default: process_cpu_seconds_total)',
  )
  .option(
    '--prometheus-memory <metric>',
    'Its gauge of the target’s memory in bytes (default: process_resident_memory_bytes)',
  )
  .option('--prometheus-token-file <file>', 'File with its bearer token, readable by its owner only')
  .optionsGroup('Load:')
  .option(
    '--path <path>',
    'Path to request instead of a scenario; repeatable (default: / with --http)',
    collect,
  )
  .option(
    '--scenario <id|file>',
    'ID of a scenario or of one of its revisions, or a JSON file (default: a search in the storefront, a document of a server)',
  )
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable (default: ask on the terminal)',
    collect,
  )
  .option('--connections <n>', 'Virtual users, each with its own connection (default: 8)', numberIn)
  .option(
    '--connection-policy <name>',
    'keep-alive (default), connection-per-transaction, connection-per-request or requests-per-connection',
    nameOf({ one: 'connection policy', many: 'Connection policies' }, connectionPolicySchema.options),
  )
  .option(
    '--requests-per-connection <n>',
    'Requests per connection with that connection policy (default: 100)',
    numberIn,
  )
  .option(
    '--rate <n>',
    'Transactions per second in open load (default: half of what the slower side can handle; none in quick)',
    numberIn,
  )
  .option('--ramp <ms>', 'Ramp-up time at the start of open load (default: 0)', numberIn)
  .option(
    '--think-time <factor>',
    'Factor on the scenario’s think times, 0 for none (default: 1 if they fit into the slots, otherwise 0)',
    numberIn,
  )
  .option('--pair-users <n>', 'Users who alternate between the sides in lockstep (default: 1)', numberIn)
  .option('--window <ms>', 'Time between two readings of the CPU in lockstep (default: 200)', numberIn)
  .option('--generators <n>', 'Load generator processes (default: a third of the cores)', numberIn)
  .option(
    '--link <name|ms>',
    'Path to the target: lan, metro, continent, mobile, or a round trip such as 25ms or 25ms,50mbit (default: none)',
  )
  .optionsGroup('TLS:')
  .option(
    '--tls <version>',
    '1.3 or 1.2, refused where the server does not offer it (default: the best that both ends speak)',
    tlsVersionIn,
  )
  .option('--cipher <name>', 'The only cipher suite to offer, such as TLS_AES_128_GCM_SHA256')
  .option('--group <name>', 'The only key agreement group to offer, such as X25519MLKEM768')
  .option('--resumption <name>', 'How new TLS connections start: none (default), tickets or mix')
  .option(
    '--resumed-share <share>',
    'Share of new connections that resume, with mix (default: 0.7)',
    numberIn,
  )
  .option('--insecure', 'Do not verify the certificate');

/** `1.3`, or `TLSv1.3` as OpenSSL writes it. */
function tlsVersionIn(text: string): TlsVersion {
  const version = tlsVersionSchema.safeParse(text.replace(/^(?:TLSv?)? ?(?=1\.)/i, 'TLSv'));
  if (version.success) return version.data;
  throw problem('invalid_arguments', `--tls: “${text}” is not a version. Versions are 1.3 and 1.2.`);
}

export async function compare(args: string[]): Promise<number> {
  const { request, secrets, label, labels, format, htmlPath, gate, repeat } = parseComparison(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { readEarlier, judge } = openGate(gate, comparison, changeLabel(blankLabel, label));
  const { printComment } = await import('../../kinds/comparison/report/comment.ts');
  return measure(comparison, request, format === 'comment' ? printComment : format, {
    label,
    labels,
    async secretsFor(api) {
      await readEarlier(api);
      const values = await askForSecrets(api, request, secrets);
      if (repeat !== null) demandNoSecrets(values);
      const hint = await twinHint(api, request, values);
      if (hint !== null) process.stderr.write(`${hint}\n`);
      return values;
    },
    judge,
    htmlPath,
    repeat,
  });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseComparison(args: string[]): {
  request: RunRequest;
  secrets: SecretValues;
  label: LabelChange;
  labels?: Labels[] | undefined;
  format: 'json' | 'markdown' | 'comment' | 'terminal';
  htmlPath: string | null;
  gate: Gate;
  repeat: Repeat | null;
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
    link: values.link,
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
  if (values.html !== undefined) demandWritable(values.html, '--html');
  if ((values.labels ?? []).length > 1) {
    demandOneSite({ '--html': values.html, '--junit': values.junit, '--repeat': values.repeat });
  }
  const formats = ['json', 'markdown', 'comment'] as const;
  const format = formats.find((name) => values[name] === true) ?? 'terminal';
  return {
    request: parsed.data,
    secrets: { ...readSecrets(values.secret ?? []), ...tokenSecretOf(values) },
    label: labelOf(values),
    ...(values.labels && { labels: values.labels }),
    format,
    htmlPath: values.html ?? null,
    gate: gateOf(values),
    repeat: repeatOf(values),
  };
}

/** Before it is measured rather than afterwards. Throws not_repeatable. */
function demandNoSecrets(values: SecretValues): void {
  const names = Object.keys(values);
  if (names.length === 0) return;
  throw problem(
    'not_repeatable',
    `It needs the values of its secrets (${names.join(', ')}), which are kept in memory only until it ends.`,
  );
}

function labelOf({ title, note, tag: tags }: { title?: string; note?: string; tag?: string[] }): LabelChange {
  const parsed = labelChangeSchema.safeParse({ title, note, tags });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return parsed.data;
}

function scenarioOf([first, ...others]: readonly string[] = [], scenario: string | undefined): unknown {
  if (first === undefined) return readScenario(scenario);
  if (scenario !== undefined) {
    throw problem('invalid_arguments', '--path and --scenario exclude each other. Give one of them.');
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
