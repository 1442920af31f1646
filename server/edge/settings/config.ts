import { hostname } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../../../shared/base/addresses.ts';
import { problem, problemOfField, problemOfIssues } from '../../../shared/base/problem.ts';
import { mostGeneratorHosts, usualMostPods } from '../../../shared/measurement/load-options.ts';
import { type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';
import { serverOptions } from '../../../shared/target/server-options.ts';
import { parseHost, printHost } from '../../base/addresses/target-policy.ts';

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
const portRange = 'PORT is a number from 0 to 65535';

/** At least one: 0 would put every result into the bin. */
const keepForm =
  'TLS_TOLL_KEEP takes a number of days, a number of results, or both, from 1 on, such as 90d, 1000, or 90d,1000';

/** Everything the environment can set. */
const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, portRange)
    .transform(Number)
    .refine((port) => port <= 65535, portRange)
    .default(7300),
  TLS_TOLL_DATA: z.string().default('data'),
  DATABASE_URL: databaseUrl('DATABASE_URL'),
  STOREFRONT_DATABASE_URL: databaseUrl('STOREFRONT_DATABASE_URL'),
  CHROMIUM_PATH: z.string().optional(),
  TLS_TOLL_LIBSSL: z.string().default(''),
  TLS_TOLL_TARGETS: z.string().default(''),
  TLS_TOLL_SIGN_IN: z.enum(['on', 'off'], 'TLS_TOLL_SIGN_IN is on or off').default('off'),
  TLS_TOLL_LINKS: z.enum(['open', 'closed'], 'TLS_TOLL_LINKS is open or closed').default('open'),
  TLS_TOLL_KEEP: z
    .string()
    .regex(/^([1-9]\d{0,4}d|[1-9]\d{0,6}|[1-9]\d{0,4}d,[1-9]\d{0,6})$/, keepForm)
    .optional(),
  TLS_TOLL_URL: z
    .url({ protocol: /^https?$/, message: 'TLS_TOLL_URL is an address such as https://toll.example.com' })
    .optional(),
  TLS_TOLL_OIDC_ISSUER: z
    .url({
      protocol: /^https?$/,
      message: 'TLS_TOLL_OIDC_ISSUER is an address such as https://id.example.com',
    })
    .optional(),
  TLS_TOLL_OIDC_CLIENT_ID: z.string().optional(),
  TLS_TOLL_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  TLS_TOLL_OIDC_NAME: z
    .string()
    .trim()
    .max(40, 'TLS_TOLL_OIDC_NAME has at most 40 characters')
    .default('single sign-on'),
  TRUST_PROXY: z
    .string()
    .regex(/^\d$/, 'TRUST_PROXY is the number of proxies in front of the server, from 0 to 9')
    .transform(Number)
    .default(0),
  TLS_TOLL_METRICS: z.enum(['on', 'off'], 'TLS_TOLL_METRICS is on or off').default('off'),
  TLS_TOLL_RUNNER: z.enum(['on', 'off'], 'TLS_TOLL_RUNNER is on or off').default('on'),
  TLS_TOLL_LABELS: z.string().default(''),
  TLS_TOLL_GENERATORS: placeSchema('TLS_TOLL_GENERATORS', 'toll.example.com:7310'),
  TLS_TOLL_GENERATORS_LISTEN: placeSchema('TLS_TOLL_GENERATORS_LISTEN', '0.0.0.0:7310'),
  TLS_TOLL_PODS: z
    .string()
    .regex(
      /^\S{1,300}$/,
      'TLS_TOLL_PODS is the name of an image, such as registry.example.com/tls-toll:0.1.0',
    )
    .optional(),
  TLS_TOLL_PODS_MOST: z
    .string()
    .regex(/^([1-9]|1[0-6])$/, `TLS_TOLL_PODS_MOST is a number from 1 to ${mostGeneratorHosts}`)
    .transform(Number)
    .default(usualMostPods),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  TLS_TOLL_PLAIN: z.enum(['refused', 'allowed'], 'TLS_TOLL_PLAIN is refused or allowed').default('refused'),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL is one of ${logLevels.join(', ')}`).default('warn'),
});

function databaseUrl(name: string) {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\//, `${name} starts with postgres://`)
    .optional();
}

/** A host and a port. */
function placeSchema(name: string, example: string) {
  return z
    .string()
    .regex(/^(\[[\da-f:]+\]|[^\s:/]+):\d{1,5}$/i, `${name} is a host and a port, such as ${example}`)
    .transform(splitPlace)
    .refine(({ port }) => port <= 65_535, portRange)
    .optional();
}

export function splitPlace(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

/** The identity provider that people may sign in with. */
type OidcConfig = {
  issuer: URL;
  clientId: string;
  clientSecretFile: string;
  /** Name on the sign-in button. */
  name: string;
};

type TeamConfig = {
  /** Whether results open for everyone who has their link. */
  linksOpen: boolean;
  /** The address that people type; null for the one that the server listens on. */
  url: URL | null;
  /** How many proxies stand in front of the server. */
  proxies: number;
  /** Null for passwords only. With it, the address above is known. */
  oidc: OidcConfig | null;
};

type Place = { host: string; port: number };

export type Config = {
  host: string;
  port: number;
  dataDirectory: string;
  databaseUrl: string | null;
  storefrontDatabaseUrl: string | null;
  chromiumPath: string | null;
  /** Directories of TLS libraries that managed servers can load, by the names that requests use. */
  libraries: Record<string, string>;
  /** Hosts besides this machine that may be loaded, as they are printed. */
  targets: string[];
  /** PEM files of its own HTTPS; null for plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
  /** How long results stay and how many of them, before they go to the bin; null for all of them for ever. */
  keep: { days: number | null; count: number | null } | null;
  /** Its role for the other dashboards on its PostgreSQL: whether it measures, and with which labels. */
  runner: { measures: boolean; labels: Labels };
  /** For hosts that offer their load generator: the address that they use, and the one it listens on; null if it takes none. */
  generators: { at: Place; listen: Place } | null;
  /** Image of generator pods, and how many a measurement may have; null if it creates none. */
  pods: { image: string; most: number } | null;
  /** Null for a server that only this machine reaches, where nobody signs in. */
  team: TeamConfig | null;
  /** Whether `/metrics` tells Prometheus about this server. */
  metrics: boolean;
  logLevel: (typeof logLevels)[number];
};

/**
 * A variable that is empty is one that is not set. Throws invalid_environment, naming the variable, and sign_in_needed or
 * tls_needed for an address that others reach.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = environmentSchema.safeParse(
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')),
  );
  if (!parsed.success) throw problemOfIssues('invalid_environment', parsed.error, 'The environment');
  const { data } = parsed;
  const signIn = data.TLS_TOLL_SIGN_IN === 'on';
  if (!signIn && !isLoopback(data.HOST)) {
    throw problem('sign_in_needed', `Others can reach ${data.HOST}, and sign-in is off.`);
  }
  const tls = tlsOf(data);
  const isProtected = tls !== null || data.TRUST_PROXY > 0 || data.TLS_TOLL_PLAIN === 'allowed';
  if (!isProtected && !isLoopback(data.HOST)) {
    throw problem('tls_needed', `Others can reach ${data.HOST}, and passwords would travel unencrypted.`);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    dataDirectory: resolve(data.TLS_TOLL_DATA),
    databaseUrl: data.DATABASE_URL ?? null,
    storefrontDatabaseUrl: data.STOREFRONT_DATABASE_URL ?? null,
    chromiumPath: data.CHROMIUM_PATH ?? null,
    libraries: librariesOf(data.TLS_TOLL_LIBSSL),
    targets: hostsOf(data.TLS_TOLL_TARGETS),
    tls,
    keep: data.TLS_TOLL_KEEP === undefined ? null : keepOf(data.TLS_TOLL_KEEP),
    runner: { measures: data.TLS_TOLL_RUNNER === 'on', labels: labelsOf(data.TLS_TOLL_LABELS) },
    generators: generatorsOf(data),
    pods: podsOf(data),
    team: signIn
      ? {
          linksOpen: data.TLS_TOLL_LINKS === 'open',
          url: data.TLS_TOLL_URL === undefined ? null : new URL(data.TLS_TOLL_URL),
          proxies: data.TRUST_PROXY,
          oidc: oidcOf(data),
        }
      : null,
    metrics: data.TLS_TOLL_METRICS === 'on',
    logLevel: data.LOG_LEVEL,
  };
}

function tlsOf({ TLS_CERT: certFile, TLS_KEY: keyFile }: z.infer<typeof environmentSchema>): Config['tls'] {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === keyFile) return null;
  const field = certFile === undefined ? 'TLS_CERT' : 'TLS_KEY';
  throw refuse(field, `set ${field} too: HTTPS needs the certificate and its key`);
}

/** It listens where it is reached, unless something stands in between. */
function generatorsOf({
  TLS_TOLL_GENERATORS: at,
  TLS_TOLL_GENERATORS_LISTEN: listen,
}: z.infer<typeof environmentSchema>): Config['generators'] {
  if (at !== undefined) return { at, listen: listen ?? at };
  if (listen === undefined) return null;
  throw refuse('TLS_TOLL_GENERATORS', 'set TLS_TOLL_GENERATORS too: generators are told where to join');
}

function podsOf(data: z.infer<typeof environmentSchema>): Config['pods'] {
  const { TLS_TOLL_PODS: image, TLS_TOLL_PODS_MOST: most, TLS_TOLL_GENERATORS: at } = data;
  if (image === undefined) return null;
  if (at !== undefined) return { image, most };
  throw refuse('TLS_TOLL_GENERATORS', 'set TLS_TOLL_GENERATORS too: pods are told where to join');
}

function oidcOf(data: z.infer<typeof environmentSchema>): OidcConfig | null {
  const {
    TLS_TOLL_OIDC_ISSUER: issuer,
    TLS_TOLL_OIDC_CLIENT_ID: clientId,
    TLS_TOLL_OIDC_CLIENT_SECRET_FILE: clientSecretFile,
    TLS_TOLL_OIDC_NAME: name,
  } = data;
  if (issuer === undefined && clientId === undefined && clientSecretFile === undefined) return null;
  const missing = (field: string) =>
    refuse(field, `set ${field} too: sign-in with an identity provider needs it`);
  if (issuer === undefined) throw missing('TLS_TOLL_OIDC_ISSUER');
  if (clientId === undefined) throw missing('TLS_TOLL_OIDC_CLIENT_ID');
  if (clientSecretFile === undefined) throw missing('TLS_TOLL_OIDC_CLIENT_SECRET_FILE');
  if (data.TLS_TOLL_URL === undefined) throw missing('TLS_TOLL_URL');
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname))
    throw refuse('TLS_TOLL_OIDC_ISSUER', 'TLS_TOLL_OIDC_ISSUER needs https, except on this machine');
  return { issuer: new URL(issuer), clientId, clientSecretFile, name };
}

function refuse(field: string, message: string) {
  return problemOfField('invalid_environment', field, message, 'The environment');
}

function keepOf(text: string): Config['keep'] {
  const [, days, count] = /^(?:(\d+)d)?,?(\d+)?$/.exec(text) ?? [];
  return {
    days: days === undefined ? null : Number(days),
    count: count === undefined ? null : Number(count),
  };
}

function hostsOf(list: string): string[] {
  const texts = list.split(',').map((each) => each.trim());
  return texts.filter(Boolean).map((text) => {
    const judgement = parseHost(text);
    if (judgement.valid) return printHost(judgement.host);
    throw problemOfField('invalid_environment', 'TLS_TOLL_TARGETS', judgement.reason.replace(/\.$/, ''));
  });
}

/** No comma is in a directory's name here. */
function librariesOf(list: string): Record<string, string> {
  const pairs = list
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  const libraries = pairs.map((pair) => {
    const [, name = '', directory = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    if (serverOptions.library.pattern.test(name) && isAbsolute(directory)) return [name, directory] as const;
    const message = `“${pair}” is no name and absolute directory, as in openssl-3.5.0=/opt/openssl-3.5.0/lib`;
    throw refuse('TLS_TOLL_LIBSSL', message);
  });
  const twice = libraries.find(([name], index) => libraries.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw refuse('TLS_TOLL_LIBSSL', `“${twice[0]}” is the name of two directories`);
  return Object.fromEntries(libraries);
}

function labelsOf(text: string): Labels {
  const parsed = labelsTextSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw problemOfField('invalid_environment', 'TLS_TOLL_LABELS', parsed.error.issues[0]?.message ?? '');
}

/** Name of a runner that was given none: that of its machine. */
export function ownName(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'runner'
  );
}
