import { resolve } from 'node:path';
import { z } from 'zod';
import { problemOfIssues } from '../shared/problem.ts';

/** Everything the environment can set. */
const environmentSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce
    .number({ error: 'PORT is a number from 0 to 65535' })
    .int('PORT is a whole number')
    .min(0, 'PORT is a number from 0 to 65535')
    .max(65535, 'PORT is a number from 0 to 65535')
    .default(7300),
  TLS_TOLL_DATA: z.string().min(1, 'TLS_TOLL_DATA is a directory').default('data'),
  DATABASE_URL: databaseUrl('DATABASE_URL'),
  STOREFRONT_DATABASE_URL: databaseUrl('STOREFRONT_DATABASE_URL'),
  CHROMIUM_PATH: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
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
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
};

/** Throws invalid_environment, naming the variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) throw problemOfIssues('invalid_environment', parsed.error, 'The environment');
  const { data } = parsed;
  return {
    host: data.HOST,
    port: data.PORT,
    dataDirectory: resolve(data.TLS_TOLL_DATA),
    databaseUrl: data.DATABASE_URL ?? null,
    storefrontDatabaseUrl: data.STOREFRONT_DATABASE_URL ?? null,
    chromiumPath: data.CHROMIUM_PATH ?? null,
    logLevel: data.LOG_LEVEL,
  };
}
