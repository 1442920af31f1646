import { ProblemError } from '../shared/problem.ts';

/** `tls-toll VERB …`. Each verb parses its arguments, calls one function and prints; only the one that is meant is loaded. */

type Verb = { run(args: string[]): Promise<number>; help: string };

const verbs: Record<string, { summary: string; load(): Promise<Verb> }> = {
  serve: {
    summary: 'open the dashboard on 127.0.0.1:7300',
    async load() {
      const { serve, serveHelp } = await import('./commands/serve.ts');
      return { run: serve, help: serveHelp };
    },
  },
  compare: {
    summary: 'run a paired comparison and print its table',
    async load() {
      const { compare, compareHelp } = await import('./commands/compare.ts');
      return { run: compare, help: compareHelp };
    },
  },
  lab: {
    summary: 'measure handshakes: what a key, a group and a suite cost',
    async load() {
      const { lab, labHelp } = await import('./commands/lab.ts');
      return { run: lab, help: labHelp };
    },
  },
  speed: {
    summary: 'measure primitives: digests, ciphers, signatures, key agreement',
    async load() {
      const { speed, speedHelp } = await import('./commands/speed.ts');
      return { run: speed, help: speedHelp };
    },
  },
  browse: {
    summary: 'compare what a journey costs in a real browser',
    async load() {
      const { browse, browseHelp } = await import('./commands/browse.ts');
      return { run: browse, help: browseHelp };
    },
  },
  record: {
    summary: 'open the recorder in the dashboard',
    async load() {
      const { record, recordHelp } = await import('./commands/record.ts');
      return { run: record, help: recordHelp };
    },
  },
  probe: {
    summary: 'prove whether a target resumes sessions, and show what it agrees on',
    async load() {
      const { probe, probeHelp } = await import('./commands/probe.ts');
      return { run: probe, help: probeHelp };
    },
  },
  import: {
    summary: 'make a scenario of a HAR, a test, a recording or curl',
    async load() {
      const { importScenario, importHelp } = await import('./commands/import.ts');
      return { run: importScenario, help: importHelp };
    },
  },
};

// Whoever read the output has gone: there is nobody left to tell.
process.stdout.on('error', () => process.exit(1));
const code = await main(process.argv.slice(2));
// A pipe takes a long document in pieces; what has not left by the exit would be lost.
process.stdout.write('', () => process.exit(code));

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage());
    return name === undefined ? 1 : 0;
  }
  const found = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (found === undefined) return complain(`"${name}" is not a verb of tls-toll.`, usage());
  const verb = await found.load();
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(verb.help);
    return 0;
  }
  try {
    return await verb.run(args);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { detail, advice, status, code } = error.problem;
    const refused =
      status >= 400 && status < 500 && code !== 'invalid_arguments' && code !== 'file_unreadable';
    complain(detail, `${advice}\n`);
    return refused ? 2 : 1;
  }
}

function complain(fact: string, advice: string): number {
  process.stderr.write(`${fact}\n${advice}`);
  return 1;
}

function usage(): string {
  const width = Math.max(...Object.keys(verbs).map((name) => name.length));
  const lines = Object.entries(verbs).map(([name, verb]) => `  ${name.padEnd(width)}  ${verb.summary}`);
  return `tls-toll: what does HTTPS cost compared with HTTP?\n\nUsage: npx tls-toll VERB [OPTIONS]\n\n${lines.join('\n')}\n\nnpx tls-toll VERB --help explains a verb.\n`;
}
