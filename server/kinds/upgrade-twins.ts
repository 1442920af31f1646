import { isRecord } from '../text/is-record.ts';

/** What figures of the twin were called. */
const names: Record<string, string> = {
  nullRatio: 'twinRatio',
  nullRatios: 'twinRatios',
  nullValue: 'twinValue',
};

/** Its keys are named as they are today; what its values are stays. */
export function nameTwins<Part>(part: Part): Part | Record<string, unknown> {
  if (!isRecord(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [names[key] ?? key, value]));
}
