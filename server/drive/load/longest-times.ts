import { mostConnecting } from './connection-opener.ts';
import type { Configuration } from './messages.ts';

/** How long a generator may take, in ms: past that it is considered hung. */

type Paced = Pick<Configuration, 'listeners' | 'connections'>;
type Performed = Paced & Pick<Configuration, 'scenario' | 'thinkTimeScale' | 'requestTimeoutMs'>;

/** For one transaction, also while all users wait for the rate of another host. */
export function longestTransactionMs(configuration: Performed): number {
  const { scenario, thinkTimeScale = 1, requestTimeoutMs } = configuration;
  const pacedMs = longestPacedMs(configuration);
  return scenario.steps.reduce(
    (sum, { thinkTimeMs = 0 }) => sum + thinkTimeMs * thinkTimeScale + requestTimeoutMs + pacedMs,
    0,
  );
}

/**
 * Of opening all connections: on a busy machine each lot may need its whole time, as where 5,000 TLS handshakes share two cores with others.
 */
export function longestOpeningMs(configuration: Paced & Pick<Configuration, 'requestTimeoutMs'>): number {
  const lots = Math.ceil(configuration.connections / mostConnecting);
  return lots * configuration.requestTimeoutMs + longestPacedMs(configuration);
}

/** For as many connections or requests as there are users to begin at the rate of another host; 0 on this machine. */
export function longestPacedMs({ listeners, connections }: Paced): number {
  const rates = listeners.flatMap(({ permit }) => permit?.caps.requestsPerS ?? []);
  return rates.length === 0 ? 0 : (1000 * connections) / Math.min(...rates);
}
