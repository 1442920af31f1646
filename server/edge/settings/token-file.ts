import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ZodType } from 'zod';
import { privateKeysIn } from '../../../shared/base/pem.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import {
  agentTokenName,
  agentTokenSchema,
  exporterTokenName,
  exporterTokenSchema,
} from '../../../shared/target/readings.ts';
import { clientKeyName } from '../../../shared/target/target.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';

/** The token in a file that only its owner may read, or that somebody else gave to our group. Throws file_unreadable, invalid_arguments; neither says the token. */
export function readTokenFile(
  path: string,
  option: string,
  schema: ZodType<string> = agentTokenSchema,
): string {
  const text = readText(path, option).trim();
  if (!isPrivate(statSync(path), process.getuid?.())) {
    throw problem(
      'invalid_arguments',
      `${option}: others may read ${path}. Make it yours alone with chmod 600 ${path}.`,
    );
  }
  const { error } = schema.safeParse(text);
  if (error === undefined) return text;
  const help = schema === agentTokenSchema ? ' openssl rand -hex 32 makes one.' : '';
  throw problem('invalid_arguments', `${option}: ${path}: ${error.issues[0]?.message}.${help}`);
}

/** The files of a Kubernetes Secret belong to root, and to a group of the pod. */
export function isPrivate({ mode, uid }: { mode: number; uid: number }, ours: number | undefined): boolean {
  return (mode & (uid === ours ? 0o077 : 0o007)) === 0;
}

/** Puts a random token into a new file; leaves one that is there. Throws file_unwritable. */
export function makeTokenFile(path: string, option: string): void {
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw problemOfError('file_unwritable', `${option}: ${path} could not be written`, error);
  }
}

type KeyFiles = {
  [Option in `${'client' | 'baselineClient' | 'comparisonClient'}${'Cert' | 'Key'}`]?: string | undefined;
};

/**
 * Keys of all client certificates; each certificate uses the key that fits. Without a key option, the key in the certificate's file is
 * used, with a note on stderr. Throws file_unreadable.
 */
export function clientKeysOf(given: KeyFiles): SecretValues {
  const files = [
    ['--client', given.clientCert, given.clientKey],
    ['--baseline-client', given.baselineClientCert, given.baselineClientKey],
    ['--comparison-client', given.comparisonClientCert, given.comparisonClientKey],
  ] as const;
  const keys = files.flatMap(([option, certificate, key]) => {
    if (key !== undefined) return readText(key, `${option}-key`);
    if (certificate === undefined) return [];
    const beside = privateKeysIn(readText(certificate, `${option}-cert`));
    if (beside.length > 0)
      process.stderr.write(`${option}-key not given, using the key in ${certificate}.\n`);
    return beside;
  });
  return keys.length === 0 ? {} : { [clientKeyName]: keys.join('\n') };
}

/** It goes to the dashboard beside the request, as secrets do. Throws as `readTokenFile` does. */
export function tokenSecretOf({
  agent,
  agentTokenFile,
  prometheusTokenFile,
}: {
  agent?: string | undefined;
  agentTokenFile?: string | undefined;
  prometheusTokenFile?: string | undefined;
}): SecretValues {
  const option = '--prometheus-token-file';
  const ofExporter: SecretValues =
    prometheusTokenFile === undefined
      ? {}
      : { [exporterTokenName]: readTokenFile(prometheusTokenFile, option, exporterTokenSchema) };
  if (agentTokenFile === undefined && agent === undefined) return ofExporter;
  if (agent === undefined || agentTokenFile === undefined) {
    throw problem('invalid_arguments', '--agent and --agent-token-file go together. Give both.');
  }
  return { ...ofExporter, [agentTokenName]: readTokenFile(agentTokenFile, '--agent-token-file') };
}

/** The file that an option names. Throws file_unreadable. */
export function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problemOfError('file_unreadable', `${option}: ${path} could not be read`, error);
  }
}

/** The JSON in it. Throws file_unreadable, invalid_arguments. */
export function readJson(path: string, option: string): unknown {
  const text = readText(path, option);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problemOfError('invalid_arguments', `${option}: ${path} is not JSON`, error);
  }
}
