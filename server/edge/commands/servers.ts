import { placeOptions } from '../../../shared/base/option.ts';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { serversOptions } from '../../../shared/kinds/servers/options.ts';
import {
  cellCiphers,
  cellSettingsSchema,
  factorNames,
  type ServersRequest,
  serversRequestSchema,
} from '../../../shared/kinds/servers/servers.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { serverKeys, serverNames } from '../../../shared/target/server-names.ts';
import { labelsOption } from './labels-option.ts';
import { measure, resume } from './measure.ts';
import { countsOf, documentSize, keyName, namesOf, serverName } from './option-values.ts';
import { readText } from './read-text.ts';
import { addOptions, readOptions } from './table-options.ts';
import { listOf, verb } from './verb.ts';

const placed = placeOptions(null, serversOptions);

const options = addOptions(
  verb('servers').description(
    'Starts real servers and compares HTTP with HTTPS across combinations of factors. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .option('--preset <name>', 'servers (108 cells, the default) or malmgren-2011 (the study of 2011)')
  .option('--plan <file>', 'JSON file with a plan: shape, base and levels, or cells')
  .option('--resume <id>', 'Resume a sweep that ended early')
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .optionsGroup(
    'Instead of a preset or a plan (each takes a list such as a,b; all combinations are measured):',
  )
  .option('--servers <names>', serverNames.join(', '), namesOf(serverName, serverNames))
  .option(
    '--protocols <names>',
    'TLSv1.3 or TLSv1.2',
    namesOf({ one: 'protocol', many: 'Protocols' }, cellSettingsSchema.shape.protocol.unwrap().options),
  )
  .option(
    '--ciphers <names>',
    'AES-128-GCM, AES-256-GCM, CHACHA20-POLY1305 or any',
    namesOf({ one: 'cipher', many: 'Ciphers' }, [...cellCiphers, 'any']),
  )
  .option('--keys <names>', serverKeys.join(', '), namesOf(keyName, serverKeys))
  .option('--keep-alive <on,off>', 'Keep connections open, or open one for each request', listOf)
  .option('--resumption <on,off>', 'Resume sessions on new connections', listOf)
  .option('--client-certificates <on,off>', 'Require client certificates (mutual TLS)', listOf)
  .option('--ktls <on,off>', 'Let the kernel encrypt what the server sends', listOf)
  .option(
    '--concurrency <n>',
    'Concurrent connections',
    countsOf({ one: 'number of connections', rule: '--concurrency takes whole numbers, such as 1,32.' }),
  )
  .option('--documents <bytes>', 'Sizes of the document', countsOf({ ...documentSize, least: 0 }))
  .option('--one-at-a-time', 'One factor at a time around the base, not every combination');

export async function servers(args: string[]): Promise<number> {
  const { request, resumed, json, labels } = parseServers(args);
  const { servers: kind } = await import('../../kinds/servers/kind.ts');
  const format = json ? 'json' : 'terminal';
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** Throws invalid_arguments, file_unreadable. */
export function parseServers(args: string[]): {
  request: ServersRequest;
  /** Id of the one to go on with; null for a new one. */
  resumed: string | null;
  json: boolean;
  labels: Labels[] | undefined;
} {
  const {
    preset,
    plan,
    resume: resumed = null,
    json = false,
    labels,
    oneAtATime,
    ...lists
  } = options.parse(args, { from: 'user' }).opts();
  const levels = {
    server: lists.servers,
    protocol: lists.protocols,
    cipher: lists.ciphers?.map((name) => (name === 'any' ? null : name)),
    key: lists.keys,
    keepAlive: lists.keepAlive?.map(switchOf('--keep-alive')),
    resumption: lists.resumption?.map(switchOf('--resumption')),
    clientCertificates: lists.clientCertificates?.map(switchOf('--client-certificates')),
    kTls: lists.ktls?.map(switchOf('--ktls')),
    concurrency: lists.concurrency,
    document: lists.documents,
  };
  const hasLevels = factorNames.some((factor) => levels[factor] !== undefined);
  if (oneAtATime === true && !hasLevels) {
    throw problem(
      'invalid_arguments',
      '--one-at-a-time needs lists of levels, such as --keys P-256,RSA-2048.',
    );
  }
  if ([preset, plan, hasLevels || undefined].filter((each) => each !== undefined).length > 1) {
    throw problem(
      'invalid_arguments',
      '--preset, --plan and lists of levels exclude each other: use one of them.',
    );
  }
  const parsed = serversRequestSchema.safeParse({
    kind: 'servers',
    plan: hasLevels
      ? { shape: oneAtATime ? 'each' : 'grid', levels }
      : plan === undefined
        ? presetOf(preset ?? 'servers')
        : readPlan(plan),
    ...readOptions(options, placed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, resumed, json, labels };
}

function presetOf(name: string) {
  if (Object.hasOwn(serversPresets, name)) return serversPresets[name as ServersPreset];
  throw problem('invalid_arguments', `--preset is one of ${Object.keys(serversPresets).join(', ')}.`);
}

function readPlan(path: string): unknown {
  try {
    return JSON.parse(readText(path, '--plan'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw problem('invalid_arguments', `${path} is not JSON: ${error.message}.`);
  }
}

function switchOf(option: string): (text: string) => boolean {
  return (text) => {
    if (text === 'on' || text === 'off') return text === 'on';
    throw problem('invalid_arguments', `${option} takes on, off or both, not "${text}".`);
  };
}
