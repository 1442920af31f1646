import type { SpeedRequest } from '../../../../shared/kinds/speed/speed.ts';

/** The command that repeats a measurement: the same primitives, in the same order where one has been drawn. */
export function speedCommand({ names, seconds, openssl }: SpeedRequest, seed: number | null): string {
  return [
    'npx tls-toll speed',
    ...(seconds === null ? [] : [`--seconds ${seconds}`]),
    ...(openssl ? [] : ['--no-openssl']),
    ...(seed === null ? [] : [`--seed ${seed}`]),
    ...(names ?? []).map(quoted),
  ].join(' ');
}

function quoted(name: string): string {
  return /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
