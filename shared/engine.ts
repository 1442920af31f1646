import { z } from 'zod';

/** What generates the load. Left out for TLS Toll's own generator. */
export const engineSchema = z.enum(['k6'], { error: 'engine is "k6", or left out for the built-in one' });
export type Engine = z.infer<typeof engineSchema>;

/** The one that measured, as it was found on the machine. */
export const measuringEngineSchema = z.strictObject({ name: engineSchema, version: z.string() });
export type MeasuringEngine = z.infer<typeof measuringEngineSchema>;
