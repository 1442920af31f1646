import { destination, pino } from 'pino';
import type { Config } from '../config.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * Null where it is off. Its libraries take a tenth of a second to load, so they are loaded only where it is on.
 *
 * @param self `instance` tells this process from others of the same service
 */
export async function telemetryOf(
  { telemetry, logLevel }: Pick<Config, 'telemetry' | 'logLevel'>,
  self: { version: string; instance: string },
): Promise<Telemetry | null> {
  if (telemetry === null) return null;
  // Not stdout, which may be the result of a command.
  const logger = pino({ level: logLevel }, destination(2));
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(telemetry, self, (sentence) => logger.warn(sentence));
}
