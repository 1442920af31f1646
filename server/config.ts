import { resolve } from 'node:path';
import { z } from 'zod';
import { problem, problemOfIssues } from '../shared/problem.ts';
import { parseHost, printHost } from './policy/parse-host.ts';

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
const portRange = 'PORT is a number from 0 to 65535';

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
  TLS_TOLL_TARGETS: z.string().default(''),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL is one of ${logLevels.join(', ')}`).default('warn'),
});

function databaseUrl(name: string) {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\//, `${name} starts with postgres://`)
    .optional();
}

export type Config = {
  host: string;
  port: number;
  dataDirectory: string;
  databaseUrl: string | null;
  storefrontDatabaseUrl: string | null;
  chromiumPath: string | null;
  /** Hosts besides this machine that may be loaded, as they are printed. */
  targets: string[];
  logLevel: (typeof logLevels)[number];
};

/** A variable that is empty is one that is not set. Throws invalid_environment, naming the variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = environmentSchema.safeParse(
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')),
  );
  if (!parsed.success) throw problemOfIssues('invalid_environment', parsed.error, 'The environment');
  const { data } = parsed;
  return {
    host: data.HOST,
    port: data.PORT,
    dataDirectory: resolve(data.TLS_TOLL_DATA),
    databaseUrl: data.DATABASE_URL ?? null,
    storefrontDatabaseUrl: data.STOREFRONT_DATABASE_URL ?? null,
    chromiumPath: data.CHROMIUM_PATH ?? null,
    targets: hostsOf(data.TLS_TOLL_TARGETS),
    logLevel: data.LOG_LEVEL,
  };
}

function hostsOf(list: string): string[] {
  const texts = list.split(',').map((each) => each.trim());
  return texts.filter(Boolean).map((text) => {
    const judgement = parseHost(text);
    if (judgement.valid) return printHost(judgement.host);
    throw problem('invalid_environment', {
      detail: `TLS_TOLL_TARGETS: ${judgement.reason}`,
      errors: [{ field: 'TLS_TOLL_TARGETS', message: judgement.reason }],
    });
  });
}
