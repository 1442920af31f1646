import { problem } from '../../../shared/base/problem.ts';
import { serversOptions } from '../../../shared/kinds/servers/options.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { serversRequestSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { readText } from '../settings/token-file.ts';
import { measure, measuringVerb, readMeasuring, readOptions, resume } from './measure-kind.ts';

const options = measuringVerb(
  'servers',
  'Starts real servers and compares HTTP with HTTPS across combinations of factors.',
  serversOptions,
)
  .option(
    '--preset <name>',
    'servers (108 cells, the default), quick (12 cells), keys (every server with ECDSA and RSA), or malmgren-2011 (the study of 2011)',
  )
  .option('--plan <file>', 'JSON file with a plan: shape, base and levels, or cells')
  .option('--one-at-a-time', 'One factor at a time around the base, not every combination')
  .option('--resume <id>', 'Resume a sweep that ended early');

export async function servers(args: string[]): Promise<number> {
  const { request, resumed, format, labels } = parseServers(args);
  const { servers: kind } = await import('../../kinds/servers/kind.ts');
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** With the id of the one to go on with; null for a new one. Throws invalid_arguments, file_unreadable. */
export function parseServers(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const { preset, plan, resume: resumed = null, oneAtATime } = parsed.opts();
  const { plan: given } = readOptions(parsed, serversOptions);
  if (oneAtATime === true && given === undefined) {
    throw problem(
      'invalid_arguments',
      '--one-at-a-time needs lists of levels, such as --keys P-256,RSA-2048.',
    );
  }
  if ([preset, plan, given].filter((each) => each !== undefined).length > 1) {
    throw problem(
      'invalid_arguments',
      '--preset, --plan and lists of levels exclude each other: use one of them.',
    );
  }
  const own = {
    kind: 'servers',
    plan:
      given !== undefined
        ? { ...given, shape: oneAtATime ? 'each' : 'grid' }
        : plan === undefined
          ? presetOf(preset ?? 'servers')
          : readPlan(plan),
  };
  return { ...readMeasuring(parsed, serversOptions, serversRequestSchema, own), resumed };
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
    throw problemOfError('invalid_arguments', `${path} is not JSON`, error);
  }
}
