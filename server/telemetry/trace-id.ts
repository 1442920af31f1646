import { createHash } from 'node:crypto';

/** The trace of a measurement: whoever has its ID finds it, and nobody learns the ID from it. 32 hexadecimal digits. */
export function traceIdOf(measurementId: string): string {
  return createHash('sha256').update(`tls-toll ${measurementId}`).digest('hex').slice(0, 32);
}
