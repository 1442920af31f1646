/** What is chosen of a load by name, for a form that needs none of the schemas. */

/** A run of a length ends once it knows its headline to ± `precision`, after `atMostS` at the latest. If it is continued, it goes on for `continuesS`. */
export const lengths = {
  first: { title: 'First answer', precision: 0.05, atMostS: 60, continuesS: 120 },
  quote: { title: 'To quote', precision: 0.02, atMostS: 240, continuesS: 240 },
  fine: { title: 'Fine', precision: 0.01, atMostS: 900, continuesS: 900 },
} as const;
/** Between a run and its continuation. A machine may be another one after a longer pause. */
export const longestPauseMs = 15 * 60_000;

export type Length = keyof typeof lengths;
/** Its title in the middle of a line. */
export function printLength(length: Length): string {
  return lengths[length].title.toLowerCase();
}

export const lengthNames = Object.keys(lengths) as Length[];

export const connectionPolicies = [
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
  'requests-per-connection',
] as const;
