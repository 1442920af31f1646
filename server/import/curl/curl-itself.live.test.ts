/** Protects the import of curl commands: a run sends the same requests as the curl of this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scenario, SecretValues } from '../../../shared/scenario.ts';
import { curlLine } from '../../testing/curl-lines.ts';
import { type Arrived, type EchoServer, openEchoServer } from '../../testing/echo-server.ts';
import { patienceMs } from '../../testing/patience.ts';
import { sendScenario } from '../../testing/send-scenario.ts';
import { findSecrets } from '../../traffic/find-secrets.ts';
import { exchangesOf, requestsToScenario } from '../draft-request.ts';
import { curlOptions, knownVersion } from './options/curl-options.ts';
import { readOptionNames } from './options/option-names.ts';
import { parseCurl } from './parse-curl.ts';

const version = spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const installed = readOptionNames(spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout ?? '');

/** What people and programs write, and what is easily taken for something else. */
const collected = linesOf('curl-lines.txt');
const traps = linesOf('curl-traps.txt');
const generated = fc.sample(curlLine, { numRuns: 150, seed: 16 });

/** Commands that run at once, each with a server of its own. */
const lanes = 6;
let servers: EchoServer[] = [];
let directory = '';
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-curl-'));
  servers = await Promise.all(Array.from({ length: lanes }, openEchoServer));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(directory, { recursive: true });
});

describe.runIf(version !== '')('the curl of this machine', () => {
  test('Every option of the curl of this machine is known with its letter and its value', () => {
    expect(installed.length).toBeGreaterThan(200);
    const known = new Map(
      curlOptions.map(({ name, letter, takesValue }) => [name, { name, letter, takesValue }]),
    );
    const differing = installed.filter((option) => !isSame(known.get(option.name), option));
    // A newer curl has options that are not in the table yet.
    if (numberOf(version) <= numberOf(knownVersion)) expect(differing).toEqual([]);
    else expect(differing.length).toBeLessThan(10);
  });

  test(
    'Collected commands are sent as curl sends them',
    async () => {
      const lines = collected.filter(isKnownHere);
      expect(collected.length - lines.length).toBeLessThan(5);
      const compared = await compareAll(lines);
      expect(compared.filter(({ ours, curls }) => !isEqual(ours, curls))).toEqual([]);
      expect(compared.filter(({ ours }) => ours.length === 0)).toEqual([]);
    },
    2 * patienceMs,
  );

  test(
    'Traps of the shell and of curl are sent as curl sends them, or left out by name',
    async () => {
      const compared = await compareAll(traps.filter(isKnownHere));
      expect(compared.length).toBeGreaterThan(60);
      expect(
        compared.filter(
          ({ ours, curls, left }) => !isEqual(ours, curls) && (ours.length > 0 || left.length === 0),
        ),
      ).toEqual([]);
    },
    2 * patienceMs,
  );

  test(
    'Generated commands are sent as curl sends them, or left out',
    async () => {
      const lines = generated.filter(isKnownHere);
      const compared = await compareAll(lines);
      const taken = compared.filter(({ ours }) => ours.length > 0);
      expect(taken.filter(({ ours, curls }) => !isEqual(ours, curls))).toEqual([]);
      expect(taken.length + collected.length).toBeGreaterThanOrEqual(200);
    },
    2 * patienceMs,
  );
});

function linesOf(fixture: string): string[] {
  return readFileSync(new URL(`../fixtures/${fixture}`, import.meta.url), 'utf8').split('\n%%\n');
}

/** Of a version, such as 8017 of 8.17.0. */
function numberOf(text: string): number {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) * 1000 + Number(minor);
}

function isSame(known: object | undefined, option: object): boolean {
  return JSON.stringify(known) === JSON.stringify(option);
}

function isEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Commands with options that the installed curl does not have yet prove nothing. */
function isKnownHere(line: string): boolean {
  const names = new Set(installed.map(({ name }) => name.replace(/^no-/, '')));
  const used = line.match(/(?<=\s--)(?:no-)?[a-z][\w.-]+/g) ?? [];
  return used.every((name) => names.has(name.replace(/^no-/, '')));
}

type Compared = { line: string; curls: Seen[]; ours: Seen[]; left: string[] };

async function compareAll(lines: readonly string[]): Promise<Compared[]> {
  const rest = lines.values();
  const compared: Compared[] = [];
  await Promise.all(
    servers.map(async (server) => {
      for (const line of rest) compared.push(await compare(line, server));
    }),
  );
  return compared;
}

async function compare(template: string, server: EchoServer): Promise<Compared> {
  const line = template.replaceAll('HOST', `127.0.0.1:${server.port}`);
  await runInBash(line);
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

async function runInBash(line: string): Promise<void> {
  // What a terminal shows before a command is not part of it.
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
  /** Cookies of a jar stand before or behind those of a step. */
  cookieOrder: boolean;
};

function asidesOf(line: string, scenario: Scenario | null): Asides {
  const texts = scenario?.steps.map(({ path, body }) => path + (body ?? '')).join('') ?? '';
  return {
    encodings: /--compressed/.test(line),
    hexCase: /-G|--url-query/.test(line),
    secrets: texts.includes('${secret:'),
    cookieOrder: scenario?.cookies ?? false,
  };
}

/**
 * Never compared: the order of different headers and the case of their names, white space around values, who the client
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
    .map(([name, value = '']) =>
      name === 'cookie' && asides.cookieOrder
        ? `cookie: ${value.split('; ').sort().join('; ')}`
        : `${name}: ${value}`,
    );
  const text = (whole: string) => {
    const upper = asides.hexCase ? whole.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toUpperCase()) : whole;
    return asides.secrets ? decodeURIComponent(upper.replaceAll('+', ' ')) : upper;
  };
  return { start: text(start), headers: headers.sort(), body: text(neutral(body.toString('latin1'))) };
}
