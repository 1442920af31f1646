import { CommanderError } from '@commander-js/extra-typings';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { type KindName, kindNames, kindWords } from '../../../shared/measurement/kind-names.ts';
import type { TabledKind } from '../../../shared/results/kinds.ts';
import { productVersion } from '../settings/product-version.ts';
import { verb } from './verb.ts';

type Verb = { summary: string; load(): Promise<(args: string[]) => Promise<number>> };

/** Verbs of kinds whose command line is more than a table of options. */
const measuring: Record<Exclude<KindName, TabledKind>, Verb['load']> = {
  comparison: async () => (await import('./compare.ts')).compare,
  handshakes: async () => (await import('./kind-verbs.ts')).handshakes,
  explain: async () => (await import('./explain-verb.ts')).explain,
  visits: async () => (await import('./kind-verbs.ts')).visits,
  sizes: async () => (await import('./kind-verbs.ts')).sizes,
  prices: async () => (await import('./kind-verbs.ts')).prices,
  servers: async () => (await import('./kind-verbs.ts')).servers,
};

function isTabled(kind: KindName): kind is TabledKind {
  return !Object.hasOwn(measuring, kind);
}

function verbOf(kind: TabledKind): Verb['load'] {
  return async () => {
    const { measureKind } = await import('./measure-kind.ts');
    return (args) => measureKind(kind, args);
  };
}

export const verbs: Record<string, Verb> = {
  serve: {
    summary: 'Open the dashboard on 127.0.0.1:7300',
    load: async () => (await import('./serve.ts')).serve,
  },
  ...Object.fromEntries(
    kindNames.map((kind) => [
      kindWords[kind].verb ?? kind,
      { summary: kindWords[kind].summary, load: isTabled(kind) ? verbOf(kind) : measuring[kind] },
    ]),
  ),
  traffic: {
    summary: 'Read the traffic of a server from its access log',
    load: async () => (await import('./traffic.ts')).traffic,
  },
  continue: {
    summary: 'Continue a finished run, if it was unclear',
    load: async () => (await import('./kind-verbs.ts')).continueRun,
  },
  bill: {
    summary: 'Show what a traffic costs by a price list, over HTTP and HTTPS',
    load: async () => (await import('./bill-verb.ts')).bill,
  },
  diff: {
    summary: 'Compare two finished runs: what changed, with intervals',
    load: async () => (await import('./finished-runs.ts')).diff,
  },
  report: {
    summary: 'Save several results as one HTML file with a title page',
    load: async () => (await import('./finished-runs.ts')).report,
  },
  studies: {
    summary: 'Show what five studies and today’s field found, and whether it still holds',
    load: async () => (await import('./studies.ts')).studies,
  },
  record: {
    summary: 'Open the recorder in the dashboard',
    load: async () => (await import('./scenario-sources.ts')).record,
  },
  probe: {
    summary: 'Check whether a target resumes sessions and what it negotiates',
    load: async () => (await import('./targets.ts')).probe,
  },
  inspect: {
    summary: 'Show what the command of a load generator really measures',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  agent: {
    summary: 'Let a dashboard on another host read what this host’s target uses',
    load: async () => (await import('./agent.ts')).agent,
  },
  generator: {
    summary: 'Offer this host’s load generator to a dashboard on another host',
    load: async () => (await import('./generator-verbs.ts')).generator,
  },
  generators: {
    summary: 'List the hosts whose load generator has joined',
    load: async () => (await import('./generator-verbs.ts')).generators,
  },
  runner: {
    summary: 'Measure for dashboards that share a PostgreSQL database',
    load: async () => (await import('./runner-verb.ts')).runner,
  },
  mcp: {
    summary: 'Let an AI agent check, measure, and read (Model Context Protocol)',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  schedules: {
    summary: 'List, pause and delete repeated runs',
    load: async () => (await import('./schedule-verbs.ts')).schedules,
  },
  targets: {
    summary: 'List, allow or withdraw other hosts that may be loaded',
    load: async () => (await import('./targets.ts')).targets,
  },
  stop: {
    summary: 'Stop all load within a second',
    load: async () => (await import('./finished-runs.ts')).stop,
  },
  sql: {
    summary: 'Query everything that was measured with SQL',
    load: async () => (await import('./sql.ts')).sql,
  },
  users: {
    summary: 'Add, list and remove the users of a server with sign-in',
    load: async () => (await import('./accounts.ts')).users,
  },
  keys: {
    summary: 'Add, list and remove the API keys of a server with sign-in',
    load: async () => (await import('./accounts.ts')).keys,
  },
  backup: {
    summary: 'Back up everything that a server stores to one file',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'Restore a backup into an empty data directory',
    load: async () => (await import('./backup.ts')).restore,
  },
  import: {
    summary: 'Turn a HAR file, a test, a recording or curl commands into a scenario',
    load: async () => (await import('./scenario-sources.ts')).importScenario,
  },
};

/** Errors in the command line itself. Every other 4xx code means that the target or the server rejected the request. */
const ours: readonly ProblemCode[] = ['invalid_arguments', 'file_unreadable', 'file_unwritable'];

/**
 * `tls-toll COMMAND …`. Each verb parses its arguments, calls one function and prints; only the one that is meant is loaded. Resolves
 * with the exit code.
 *
 * @param begin is awaited before a verb is loaded
 */
export async function runCommand(
  args: readonly string[],
  begin: () => Promise<void> = async () => {},
): Promise<number> {
  const [name = '', ...rest] = args[0] === 'help' ? [args[1] ?? '', '--help'] : args;
  try {
    const named = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (named !== undefined) {
      await begin();
      return await (await named.load())(rest);
    }
    overview().parse(args, { from: 'user' });
    return 1;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof ProblemError)) throw error;
    const { detail, advice, status, code, details, errors = [] } = error.problem;
    const more = errors
      .map(({ message }) => message)
      .filter((message) => !detail.toLowerCase().includes(message.toLowerCase()));
    // Fields have been named by then; what is left to say of them is meant for programs.
    const saysWhatToDo = code === 'invalid_arguments' && / takes |Did you mean|Use --/.test(detail);
    const isSaid = saysWhatToDo || (code === 'invalid_request' && errors.length > 0);
    const next = isSaid ? [] : [Object.hasOwn(verbs, name) ? advice.replace('COMMAND', name) : advice];
    const original = details === undefined ? [] : [`Details: ${details}`];
    process.stderr.write(`${printable([detail, ...more, ...next, ...original].join('\n'))}\n`);
    const refused = status >= 400 && status < 500 && !ours.includes(code);
    return refused ? 2 : 1;
  }
}

/** A sentence may quote what a file or a server says, which must not command the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => (control === '\n' ? control : '\u{fffd}'));
}

/** Lists the verbs, and knows which one a misspelled name is near to. */
function overview() {
  const program = verb('')
    .description('What does HTTPS cost compared with HTTP?')
    .version(productVersion(), '--version', 'Show the version')
    .helpCommand('help [command]', 'Show the help of a command');
  for (const [name, { summary }] of Object.entries(verbs)) {
    program.command(name).description(summary).usage('[options]');
  }
  return program;
}
