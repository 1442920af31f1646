import type { SpeedRequest } from '../../../shared/speed.ts';

/** The command that repeats a measurement: the same primitives, in the same order. */
export function speedCommand({ names, seconds, openssl }: SpeedRequest, seed: number): string {
  return [
    'npx tls-toll speed',
    ...(seconds === null ? [] : [`--seconds ${seconds}`]),
    ...(openssl ? [] : ['--no-openssl']),
    `--seed ${seed}`,
    ...(names ?? []).map(quoted),
  ].join(' ');
}

function quoted(name: string): string {
  return /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
