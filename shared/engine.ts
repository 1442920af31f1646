import { z } from 'zod';

/** What generates the load. Left out for TLS Toll's own generator. */
export const engineSchema = z.enum(['k6', 'k6-operator'], {
  error: 'engine is "k6" or "k6-operator", or left out for the built-in one',
});
export type Engine = z.infer<typeof engineSchema>;

/** The one that measured, as it was found on the machine or in its pods: the version is that of k6. */
export const measuringEngineSchema = z.strictObject({ name: engineSchema, version: z.string() });
export type MeasuringEngine = z.infer<typeof measuringEngineSchema>;

/** `k6 1.8.1 in Kubernetes`. */
export function printEngine({ name, version }: MeasuringEngine): string {
  return name === 'k6' ? `k6 ${version}` : `k6 ${version} in Kubernetes`;
}
