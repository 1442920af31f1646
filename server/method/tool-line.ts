import { problem } from '../../shared/base/problem.ts';
import type { ToolCounts, ToolVerdict } from './tool-verdict.ts';

/**
 * The command line of a load generator: which of its words are the target's URL, and whether everything in it is known to lead
 * nowhere else.
 */

type ToolLine = {
  /** The command, with `here` in place of each URL's origin. */
  words: string[];
  /** The first URL. */
  target: URL | null;
  /** Why it may reach another host than the listener, as a sentence. Null where every word is known. */
  doubt: string | null;
};

/** Stands for the listener's origin. No argument of a program can contain it. */
export const here = '\0';

/**
 * Options that neither read a script or a list of targets, nor name a proxy or another address. The rest of a program's options is
 * left out: `-s` of wrk, `-X`, `-B`, and `-P` of ab, `-i`, `-B`, `--connect-to`, and `--timing-script-file` of h2load, `-x` of hey,
 * `--rand-regex-url`, `--urls-from-file`, `--connect-to`, and `--unix-socket` of oha.
 */
const programs: Readonly<Record<string, Program>> = {
  wrk: {
    flags: '--latency',
    values: '-c --connections -d --duration -t --threads -H --header --timeout',
  },
  ab: {
    flags: '-w -i -k -d -S -q -l -r -I',
    values: '-n -c -t -s -b -p -u -T -v -x -y -z -C -H -A -g -e -m -Z -f -E',
  },
  h2load: {
    flags: '--h1 --ktls --no-udp-gso -v --verbose',
    values:
      '-n --requests -c --clients -t --threads -m --max-concurrent-streams -f --max-frame-size -w --window-bits -W --connection-window-bits -H --header --ciphers --tls13-ciphers -p --no-tls-proto -d --data -r --rate --rate-period -D --duration --warm-up-time -T --connection-active-timeout -N --connection-inactivity-timeout --npn-list --alpn-list --header-table-size --encoder-header-table-size --log-file --rps --groups',
  },
  hey: {
    longWithOneDash: true,
    flags: '-h2 -disable-compression -disable-keepalive -disable-redirects',
    values: '-n -c -q -z -o -m -H -t -A -d -D -T -a -host -cpus',
  },
  oha: {
    flags:
      '--latency-correction --no-tui -j --json --http2 --disable-compression --disable-keepalive --no-pre-lookup --ipv4 --ipv6 --insecure --disable-color --stats-success-breakdown',
    values:
      '-n -c -p -z -q --burst-delay --burst-rate --fps -m --method -H -t -A -d -D -T -a --http-version --host -r --redirect',
  },
  bombardier: {
    flags:
      '-l --latencies -s --stream -k --insecure -a --disableKeepAlives --fasthttp --http1 --http2 -q --no-print',
    values:
      '-c --connections -t --timeout -m --method -b --body -f --body-file --cert --key -H --header -n --requests -d --duration -r --rate -p --print',
  },
};

type Program = {
  flags: string;
  values: string;
  /** Options in the form of Go's flag package: `-disable-keepalive`, `--n 1`, `-n=1`, and no `-n1`. */
  longWithOneDash?: true;
};

export const knownPrograms = Object.keys(programs);

/** Throws invalid_arguments where the command names several origins. */
export function readLine(command: readonly string[]): ToolLine {
  const [program = '', ...args] = command;
  const name = program.slice(program.lastIndexOf('/') + 1);
  const known = Object.hasOwn(programs, name) ? programs[name] : undefined;
  const read = known === undefined ? readUnknown(args, name) : readKnown(args, name, known);
  const targets = read.urls.map(({ url }) => url);
  if (new Set(targets.map(({ origin }) => origin)).size > 1) {
    const origins = [...new Set(targets.map(({ origin }) => origin))].join(' and ');
    throw problem('invalid_arguments', `The command has URLs of ${origins}. Give it URLs of one server.`);
  }
  const words = [...args];
  for (const { index, text, path } of read.urls) {
    words[index] = `${words[index]?.slice(0, -text.length)}${here}${path}`;
  }
  return { words: [program, ...words], target: targets[0] ?? null, doubt: read.doubt };
}

type Url = { index: number; text: string; path: string; url: URL };
type Read = { urls: Url[]; doubt: string | null };

function urlIn(index: number, text: string): Url[] {
  const [, path = ''] = /^https?:\/\/[^/?#\s]+([/?#]\S*|)$/i.exec(text) ?? [];
  const url = /^https?:\/\/[^/?#\s]/i.test(text) ? URL.parse(text) : null;
  return url === null ? [] : [{ index, text, path, url }];
}

/** Options whose URL is no target. */
const besides = /^(--?(referr?er|proxy|origin|data|body|header|cookie|ca|preproxy)[\w-]*|-[xedDHbF])$/i;

function readUnknown(args: readonly string[], name: string): Read {
  const urls = args.flatMap((word, index) => {
    const [, option = args[index - 1] ?? '', text = word] = /^(-{1,2}[\w-]+)=(.*)$/s.exec(word) ?? [];
    return besides.test(option) ? [] : urlIn(index, text);
  });
  return { urls, doubt: `TLS Toll does not know the options of ${name}.` };
}

function readKnown(args: readonly string[], name: string, program: Program): Read {
  const [flags, values] = [new Set(program.flags.split(' ')), new Set(program.values.split(' '))];
  const read: Read = { urls: [], doubt: null };
  const doubt = (word: string) => {
    read.doubt ??= `${name} may reach another host because of ${JSON.stringify(word.slice(0, 80))}.`;
  };
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? '';
    if (!word.startsWith('-')) {
      const found = urlIn(index, word);
      read.urls.push(...found);
      if (found.length === 0) doubt(word);
      continue;
    }
    const takesNext = readOption(word, flags, values, program.longWithOneDash === true);
    if (takesNext === null) {
      doubt(word);
      if (besides.test(word)) index += 1;
    }
    if (takesNext === true) {
      index += 1;
      // Some programs read more arguments from a file that is named so.
      if (args[index]?.startsWith('@') !== false) doubt(args[index] ?? word);
    }
  }
  if (read.urls.length === 0) read.doubt ??= `The command of ${name} contains no URL.`;
  return read;
}

type Names = ReadonlySet<string>;

/** Whether the next word is its value; null where it is not known. */
function readOption(word: string, flags: Names, values: Names, longWithOneDash: boolean): boolean | null {
  if (longWithOneDash || word.startsWith('--')) {
    const [, option = '', value] = /^(--?[^=]+)(=.*)?$/s.exec(word) ?? [];
    const name = longWithOneDash ? option.replace(/^--/, '-') : option;
    if (flags.has(name)) return value === undefined ? false : null;
    return values.has(name) ? value === undefined : null;
  }
  // Several flags may share a dash; what follows an option with a value is the value.
  for (let at = 1; at < word.length; at++) {
    const option = `-${word[at]}`;
    if (values.has(option)) return at === word.length - 1;
    if (!flags.has(option)) return null;
  }
  return word.length > 1 ? false : null;
}

type Asked = { counts: ToolCounts; verdict: ToolVerdict; target: URL | null };

const [alwaysTickets, never] = [0.95, 0.05];
/** First in OpenSSL's own lists for TLS 1.3 and 1.2. */
const usualSuites = ['TLS_AES_256_GCM_SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'];

/** Arguments of `compare` that ask what the tool asked, as far as its counts tell. */
export function compareArguments({ counts, verdict, target }: Asked): string[] {
  return [
    ...whereTo(target),
    ...(verdict.http2 ? ['--baseline', 'h2c', '--comparison', 'h2'] : []),
    ...['--users', `${Math.min(1000, Math.max(1, counts.openAtOnce))}`],
    ...howLong(counts),
    ...agreedOf(counts),
    ...(keepsOpen(counts) ? [] : handshakesOf(counts, verdict)),
    ...(verdict.loop === 'open' && counts.pace !== null
      ? ['--rate', `${Math.round(counts.pace.atOnce)}`]
      : []),
  ];
}

/** The other side is guessed from the usual pairs of ports; else a placeholder stands for it. */
function whereTo(target: URL | null): string[] {
  if (target === null) return ['--https', 'https://HOST'];
  const { origin, protocol, port, pathname, search } = target;
  const path = ['--path', `${pathname}${search}`];
  if (protocol === 'http:') {
    return [
      '--http',
      origin,
      ...(['', '8080'].includes(port) ? [] : ['--https', 'https://HOST:PORT']),
      ...path,
    ];
  }
  return [...(['', '8443'].includes(port) ? [] : ['--http', 'http://HOST:PORT']), '--https', origin, ...path];
}

/** Whether connections were hardly ever opened anew. */
function keepsOpen({ connections, openAtOnce }: ToolCounts): boolean {
  return connections <= 1.5 * openAtOnce;
}

function howLong(counts: ToolCounts): string[] {
  if (keepsOpen(counts)) return [];
  const each = Math.round(counts.requestsPerConnection);
  if (each <= 1) return ['--connection-policy', 'connection-per-request'];
  return ['--connection-policy', 'requests-per-connection', '--requests-per-connection', `${each}`];
}

/** The version and suite of most connections, where those of the generator's own connections would be others. */
function agreedOf({ agreed }: ToolCounts): string[] {
  const [most] = [...agreed].sort((one, other) => other.connections - one.connections);
  if (most === undefined) return [];
  return [
    ...(most.protocol === 'TLSv1.2' ? ['--tls', '1.2'] : []),
    ...(usualSuites.includes(most.suite) ? [] : ['--cipher', most.suite]),
  ];
}

/** A tool that keeps opening connections measures what they negotiate. */
function handshakesOf({ groups }: ToolCounts, { resumedShare }: ToolVerdict): string[] {
  if (resumedShare === null) return [];
  return [...(groups[0] === undefined ? [] : ['--group', groups[0]]), ...resumptionOf(resumedShare)];
}

function resumptionOf(share: number): string[] {
  if (share <= never) return [];
  if (share >= alwaysTickets) return ['--resumption', 'tickets'];
  return ['--resumption', 'mix', '--resumed-share', share.toFixed(2)];
}
