import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Scenario, SecretValues } from '../../shared/scenario/scenario.ts';
import { parseCurl } from '../intake/import/curl-commands.ts';
import type { OptionName } from '../intake/import/curl-options.ts';
import { exchangesOf, requestsToScenario } from '../intake/import/draft-request.ts';
import { findSecrets } from '../intake/traffic/found-secrets.ts';
import { curlLine } from './curl-lines.ts';
import { type Arrived, type EchoServer, openEchoServer } from './echo-server.ts';
import { patienceMs } from './patience.ts';
import { sendScenario } from './send-scenario.ts';

/** For tests: the curl of this machine, empty where there is none, and its options. */
export const installedVersion = spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '';
export const installedOptions = optionsIn(
  spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout ?? '',
);

/** Options in curl's help: ` -d, --data <data>  HTTP POST data`, one per line. */
function optionsIn(help: string): OptionName[] {
  return help.split('\n').flatMap((line) => {
    const match = /^\s*(?:-(\S), )?--([\w.-]+)(?: ([[<]))?/.exec(line);
    if (match === null) return [];
    const [, letter = null, name = '', value] = match;
    return [{ name, letter, takesValue: value !== undefined }];
  });
}

/** Commands with options that the installed curl does not have yet prove nothing, and are not among them. */
export const commandLines = {
  /** Commands that people and programs write. */
  collected: linesOf('curl-lines.txt').filter(isKnownHere),
  /** Commands that are easily misread. */
  traps: linesOf('curl-traps.txt').filter(isKnownHere),
  generated: fc.sample(curlLine, { numRuns: 150, seed: 16 }).filter(isKnownHere),
};

function linesOf(fixture: string): string[] {
  return readFileSync(new URL(`../intake/import/fixtures/${fixture}`, import.meta.url), 'utf8').split(
    '\n%%\n',
  );
}

function isKnownHere(line: string): boolean {
  const names = new Set(installedOptions.map(({ name }) => name.replace(/^no-/, '')));
  const used = line.match(/(?<=\s--)(?:no-)?[a-z][\w.-]+/g) ?? [];
  return used.every((name) => names.has(name.replace(/^no-/, '')));
}

/** Requests of curl, those of a run of the imported scenario, and the import's notes on the command. */
type Compared = { line: string; curls: Seen[]; ours: Seen[]; left: string[] };

/**
 * Noted is what sends something else and says which option it could not keep. Wrong is what sends something else, or
 * nothing, without a word.
 */
export function outcomeOf({ ours, curls, left }: Compared): 'same' | 'noted' | 'refused' | 'wrong' {
  if (JSON.stringify(ours) === JSON.stringify(curls)) return 'same';
  if (ours.length === 0) return left.length > 0 ? 'refused' : 'wrong';
  return left.some((reason) => noteOnDifference.test(reason)) ? 'noted' : 'wrong';
}

const noteOnDifference =
  /is ignored|A run sends its own|A run takes it from its target|sends each body whole|connects to a file|--baseline h2c|connects to another address/;

/** Commands that run at once, each with a server of its own. */
const lanes = 6;

export async function openCurlComparison() {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-curl-'));
  const servers = await Promise.all(Array.from({ length: lanes }, openEchoServer));
  return {
    async compare(lines: readonly string[]): Promise<Compared[]> {
      const rest = lines.values();
      const compared: Compared[] = [];
      await Promise.all(
        servers.map(async (server) => {
          for (const line of rest) compared.push(await compare(line, server, directory));
        }),
      );
      return compared;
    },
    async close(): Promise<void> {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(directory, { recursive: true });
    },
  };
}

async function compare(template: string, server: EchoServer, directory: string): Promise<Compared> {
  const line = template.replaceAll('HOST', `127.0.0.1:${server.port}`);
  await runInBash(line, directory);
  const curls = server.take();
  const { requests, unsupported, keepsCookies } = parseCurl(line);
  const report = requestsToScenario(requests, { name: 'tested', keepsCookies });
  const values = valuesOf(exchangesOf(requests).exchanges);
  if (report.scenario !== null) await sendScenario(report.scenario, values, server.port);
  const ours = server.take();
  const asides = asidesOf(line, report.scenario);
  return {
    line,
    curls: curls.map((arrived) => seen(arrived, asides)),
    ours: ours.map((arrived) => seen(arrived, asides)),
    left: [...unsupported, ...report.unsupported].map(({ reason }) => reason),
  };
}

async function runInBash(line: string, directory: string): Promise<void> {
  // A terminal's prompt is not part of the command.
  const command = line.replace(/^(?:\$|ada@lab:~\/shop\$) /m, '').replace(/^> {2}/m, '');
  const child = spawn('bash', ['-c', command], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
    timeout: patienceMs,
  });
  await once(child, 'close');
}

/** The values that a user would type for the secrets. */
function valuesOf(exchanges: Parameters<typeof findSecrets>[0]): SecretValues {
  const { placeholders } = findSecrets(exchanges);
  return Object.fromEntries(
    [...placeholders].map(([value, placeholder]) => [
      placeholder.slice('${secret:'.length, -1),
      value.replaceAll('$${', () => '${'),
    ]),
  );
}

/** A request without the parts that may differ. */
type Seen = { start: string; headers: string[]; body: string };

/** Parts that are not compared for some commands. */
type Asides = {
  /** `--compressed` asks for the codings that a build of curl has. */
  encodings: boolean;
  /** Versions of curl write the hexadecimal digits of an added query in either case. */
  hexCase: boolean;
  /** A secret is encoded anew where it stands, with other characters than the source had. */
  secrets: boolean;
};

function asidesOf(line: string, scenario: Scenario | null): Asides {
  const texts = scenario?.steps.map(({ path, body }) => path + (body ?? '')).join('') ?? '';
  return {
    encodings: /--compressed/.test(line),
    hexCase: /-G|--url-query/.test(line),
    secrets: texts.includes('${secret:'),
  };
}

/**
 * Never compared: the order of different headers and cookies and the case of their names, white space around values, who the client
 * says it is, the connection, the boundary of a form, and `Content-Length: 0`.
 */
function seen({ head, body }: Arrived, asides: Asides): Seen {
  const [start = '', ...lines] = head.split('\r\n');
  const boundary = /boundary=(-+\w+)/.exec(head)?.[1];
  const neutral = (text: string) => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'));
  const headers = lines
    .map((line) => {
      const colon = line.indexOf(':');
      return [
        line.slice(0, colon).toLowerCase(),
        neutral(line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')),
      ];
    })
    .filter(([name, value]) => name !== 'user-agent' || !/^(curl\/|tls-toll$)/.test(value ?? ''))
    .filter(([name]) => name !== 'connection' && (name !== 'accept-encoding' || !asides.encodings))
    .filter(([name, value]) => name !== 'content-length' || (value !== '0' && boundary === undefined))
    .map(([name, value = '']) => [name, name === 'cookie' ? value.split('; ').sort().join('; ') : value])
    .map(([name, value]) => `${name}: ${value}`);
  const text = (whole: string) => {
    const upper = asides.hexCase ? whole.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toUpperCase()) : whole;
    return asides.secrets ? decodeURIComponent(upper.replaceAll('+', ' ')) : upper;
  };
  return { start: text(start), headers: headers.sort(), body: text(neutral(body.toString('latin1'))) };
}
