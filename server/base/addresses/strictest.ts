import type { Caps, Permit } from '../../../shared/target/target.ts';

/** Of several permits, the least of each cap, under all their names; null for none. */
export function strictest(permitted: readonly { permit?: Permit | null | undefined }[]): Permit | null {
  const permits = permitted.flatMap(({ permit }) => permit ?? []);
  if (permits.length === 0) return null;
  const least = (cap: keyof Caps) => Math.min(...permits.map(({ caps }) => caps[cap]));
  return {
    host: [...new Set(permits.map(({ host }) => host))].join(', '),
    caps: {
      requestsPerS: least('requestsPerS'),
      connections: least('connections'),
      minutes: least('minutes'),
      bytes: least('bytes'),
    },
  };
}
