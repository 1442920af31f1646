import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { targetEndpoints } from '../../../shared/api/target-endpoints.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import {
  type BySide,
  bySide,
  type Scheme,
  type SideName,
  schemeOf,
  sideNames,
  type Transport,
  transports,
} from '../../../shared/base/transport.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import type { Stuck } from '../../../shared/scenario/browser-actions.ts';
import { type SecretValues, secretNameSchema } from '../../../shared/scenario/scenario.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { questionOfTrust } from '../../../shared/target/target-words.ts';
import { secretsOf } from '../../intake/scenario/secrets.ts';
import { type Libraries, versionInDirectory } from '../../targets/managed/tls-library.ts';
import { readConfig } from '../settings/config.ts';
import { readText } from '../settings/token-file.ts';
import type { ApiClient } from './api-client.ts';

/** Reads `--baseline`, `--comparison` and the options that start like them. */

type TextOption = SideName | `${SideName}${'Name' | 'Server' | 'ClientCert' | 'Ca' | 'Libssl'}`;

type Given = { noiseCheck?: boolean | undefined } & { [Option in TextOption]?: string | undefined } & {
  [Option in `${SideName}Pid`]?: number | undefined;
};

/** The two sides as a request has them, without what comes from the table. Throws invalid_arguments, file_unreadable. */
export function sidesIn(given: Given): BySide<OwnSide> {
  if (given.noiseCheck && (given.baseline ?? given.comparison) !== undefined) {
    throw problem(
      'invalid_arguments',
      '--noise-check compares HTTP with HTTP. Remove --baseline and --comparison.',
    );
  }
  return bySide((side) => {
    const [name, server, ca, cert, pid] = (['Name', 'Server', 'Ca', 'ClientCert', 'Pid'] as const).map(
      (option) => given[`${side}${option}`],
    );
    const target = {
      ...originIn(side, given[side]),
      ...(server === undefined ? {} : { server }),
      ...(ca === undefined ? {} : { ca: readText(String(ca), `--${side}-ca`) }),
      ...(cert === undefined ? {} : { clientCertificate: readText(String(cert), `--${side}-client-cert`) }),
      ...(pid === undefined ? {} : { pid }),
    };
    return {
      ...(name === undefined ? {} : { name }),
      ...spokenIn(given[side], given.noiseCheck === true),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
  });
}

/**
 * Directories given with --baseline-libssl and --comparison-libssl, by names made of the versions in them, and the name of each side's.
 * Throws file_unreadable.
 */
export function librariesIn(given: Given): { libraries: Libraries; sides: BySide<OwnSide> } {
  const libraries: Record<string, string> = {};
  const sides = bySide((side): OwnSide => {
    const directory = given[`${side}Libssl`];
    if (directory === undefined) return {};
    const path = resolve(directory);
    const version = versionInDirectory(path);
    if (version === null) {
      throw problem(
        'file_unreadable',
        `--${side}-libssl: ${directory} contains no libssl that can be read. Give the directory of libssl.so.3 and libcrypto.so.3.`,
      );
    }
    const usual = `openssl-${version}`;
    const library = [undefined, path].includes(libraries[usual]) ? usual : `${usual}-${side}`;
    libraries[library] = path;
    return { target: { library } };
  });
  return { libraries, sides };
}

/** Schemes of the sides that have no address of their own. */
export function schemesOf(sides: BySide<OwnSide>): Set<Scheme> {
  const usual: BySide<Transport> = { baseline: 'http', comparison: 'https' };
  const open = sideNames.filter((side) => !hasAddress(sides[side]));
  return new Set(open.map((side) => schemeOf(sides[side].transport ?? usual[side])));
}

export function hasAddress({ target }: OwnSide): boolean {
  return target !== undefined && 'origin' in target;
}

export type OwnSide = {
  transport?: Transport | undefined;
  tls?: object | undefined;
  target?: object | undefined;
};

/** Merges the layers. Later ones override earlier ones. */
export function mergeSides(...layers: Partial<BySide<OwnSide>>[]): BySide<OwnSide> {
  return bySide((side) => {
    const own = layers.map((layer) => layer[side] ?? {});
    const [tls, target] = (['tls', 'target'] as const).map((part) =>
      Object.assign({}, ...own.map((each) => each[part])),
    );
    return {
      ...Object.assign({}, ...own),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
  });
}

/** Given by its name, or by the start of an address. */
function spokenIn(text: string | undefined, isNoiseCheck: boolean): { transport?: Transport } {
  if (isNoiseCheck) return { transport: 'http' };
  const named = transports.find((each) => each === text?.toLowerCase());
  if (named !== undefined) return { transport: named };
  const scheme = /^(https?):/i.exec(text ?? '')?.[1]?.toLowerCase();
  return scheme === undefined ? {} : { transport: scheme as Transport };
}

function originIn(side: SideName, text: string | undefined): { origin?: string } {
  if (text === undefined || transports.some((each) => each === text.toLowerCase())) return {};
  const { transport } = spokenIn(text, false);
  if (transport === undefined) {
    throw problem(
      'invalid_arguments',
      `--${side} takes an address such as https://127.0.0.1:8443, or http, https, h2c or h2, not "${text}".`,
    );
  }
  const wrong = addressProblem(text, schemeOf(transport));
  if (wrong !== null) throw problem('invalid_arguments', `--${side}: ${wrong}`);
  return { origin: text };
}

/**
 * The request with the certificates on the dashboard's machine that no authority vouches for, each trusted by its fingerprint. Says on
 * stderr which they are, and which second listener could be the control.
 */
export async function withTrust<Request extends object>(api: ApiClient, request: Request): Promise<Request> {
  const { target, sides, tls, scenario } = request as Partial<RunRequest>;
  if (target?.kind !== 'origins' || tls?.verify === false) return request;
  const path = pathOf(scenario);
  const found = await trustFor(api, [target.http, target.https], target, path);
  if (found.twin !== null && target.http !== undefined && target.twin === undefined) {
    process.stderr.write(
      `${found.twin} belongs to the same server. To use it as the control, add --control ${found.twin}.\n`,
    );
  }
  const trusting = { ...request, target: { ...target, ...found.trust } };
  if (sides === undefined) return trusting;
  const own = await Promise.all(
    sideNames.map(async (side) => {
      const ofSide = sides[side]?.target;
      if (ofSide?.origin === undefined) return [side, sides[side]] as const;
      const { trust } = await trustFor(api, [ofSide.origin], { ...target, ...ofSide }, path);
      return [side, { ...sides[side], target: { ...ofSide, ...trust } }] as const;
    }),
  );
  return { ...trusting, sides: Object.fromEntries(own) };
}

function pathOf(scenario: RunRequest['scenario'] | undefined): string {
  const [first] = typeof scenario === 'object' && scenario !== null ? scenario.steps : [];
  return first?.method === 'GET' && !/\$\{/.test(first.path) ? first.path : '/';
}

type Trusting = { ca?: string | undefined; trust?: string | undefined };

/** If nothing answers, the run says why. */
async function trustFor(
  api: ApiClient,
  origins: readonly (string | undefined)[],
  { ca, trust }: Trusting,
  path: string,
): Promise<{ trust: Trusting; twin: string | null }> {
  const addresses = origins.filter((each) => each !== undefined);
  const nothing = { trust: {}, twin: null };
  if (addresses.length === 0) return nothing;
  try {
    const { found, twin } = await api.call(targetEndpoints.lookUp, { body: { addresses, path } });
    const isAsked = addresses.some((each) => each.startsWith('https:'));
    const secure = isAsked ? found.find(({ scheme }) => scheme === 'https') : undefined;
    const certificate = secure?.tls?.certificate;
    if (secure === undefined || certificate === undefined || ca !== undefined || trust !== undefined)
      return { trust: {}, twin };
    const { fingerprint, trusted, selfSigned } = certificate;
    const question = questionOfTrust({ found: [secure] });
    if (question !== null) process.stderr.write(`${question} To trust it, add --trust ${fingerprint}.\n`);
    if (trusted !== 'here') return { trust: {}, twin };
    const what = selfSigned ? 'self-signed' : 'of an unknown authority';
    process.stderr.write(
      `The certificate of ${secure.origin} is ${what}. It is trusted for this run by its SHA-256 ${fingerprint}; its name and dates are not checked.\n`,
    );
    return { trust: { trust: fingerprint }, twin };
  } catch (error) {
    if (error instanceof ProblemError) return nothing;
    throw error;
  }
}

/** The values stay out of the command line, which everybody on the machine can read. */
export function readSecrets(options: readonly string[]): SecretValues {
  const pairs = options.map((option) => {
    const [name = '', variable, ...rest] = option.split('=');
    if (variable === undefined || rest.length > 0 || !secretNameSchema.safeParse(name).success) {
      throw problem(
        'invalid_arguments',
        '--secret takes a name and an environment variable: password=SHOP_PASSWORD.',
      );
    }
    const value = process.env[variable];
    if (value === undefined || value === '') {
      throw problem('invalid_arguments', `--secret ${name}: the environment variable ${variable} is empty.`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** Asks for the values that were not given, when there is a terminal. Throws secret_missing. */
export async function askForSecrets(
  api: ApiClient,
  { scenario: asked, target }: RunRequest,
  given: SecretValues,
): Promise<SecretValues> {
  const scenario = asked ?? factsOf(target).scenario;
  const needed =
    typeof scenario === 'string'
      ? (await api.call(scenarioEndpoints.showScenario, { params: { id: scenario } })).secrets
      : secretsOf(scenario);
  const missing = needed.find((name) => !Object.hasOwn(given, name));
  if (missing === undefined) return given;
  if (process.stdin.isTTY !== true) {
    throw problem(
      'secret_missing',
      `The secret “${missing}” has no value. Give it with --secret ${missing}=VARIABLE.`,
    );
  }
  const values = { ...given };
  for (const name of needed) values[name] ??= await ask(name);
  return values;
}

async function ask(name: string): Promise<string> {
  const value = await askHidden(`Value of the secret ${name}: `);
  if (value === null || value === '')
    throw problem('secret_missing', `No value was entered for the secret ${name}.`);
  return value;
}

/** Asks on the terminal, and shows nothing of what is typed. Null when the user gives up. */
async function askHidden(question: string): Promise<string | null> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question('', { signal: interrupted.signal });
  } catch (error) {
    if (interrupted.signal.aborted) return null;
    throw error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Writes what the page showed into the data directory, for its owner only, and says on stderr where. */
export function savePicture(stuck: Stuck | undefined): void {
  if (stuck === undefined || stuck.picture === null) return;
  const directory = join(readConfig(process.env).dataDirectory, 'pictures');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${new Date().toISOString().replace(/\D/g, '')}-step-${stuck.step}.jpg`);
  writeFileSync(path, Buffer.from(stuck.picture, 'base64'), { mode: 0o600 });
  process.stderr.write(`Picture of the page: ${path}\n`);
}
