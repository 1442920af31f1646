import type { Exchange, Secret } from '../../shared/scenario/import.ts';
import { openRedaction } from '../intake/traffic/redaction.ts';

/** All exchanges of a recording. */
export function redactExchanges(exchanges: readonly Exchange[]): {
  exchanges: Exchange[];
  secrets: Secret[];
} {
  const { redact, secrets } = openRedaction(exchanges);
  return { exchanges: exchanges.map(redact), secrets };
}
