import type { Secret } from '../../shared/scenario/import.ts';
import type { Exchange } from '../../shared/scenario/recording.ts';
import { openRedaction } from '../intake/traffic/redact.ts';

/** All exchanges of a recording. */
export function redactExchanges(exchanges: readonly Exchange[]): {
  exchanges: Exchange[];
  secrets: Secret[];
} {
  const { redact, secrets } = openRedaction(exchanges);
  return { exchanges: exchanges.map(redact), secrets };
}
