import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { estimateSchema } from '../comparison/comparison.ts';

/**
 * How the time of a request grows with its document. `straight`: T = Offset + Size/Rate, the study's line. `records`: the
 * same and a cost for each TLS record, T = Offset + Size/Rate + c·⌈Size/16384⌉.
 */

/** A TLS record holds up to 2^14 bytes of plaintext (RFC 8446, section 5.1). */
export const recordBytes = 16_384;

export const sizeFormSchema = z.enum(['straight', 'records']);
export type SizeForm = z.infer<typeof sizeFormSchema>;

const sizeResidualSchema = z.strictObject({
  /** Bytes of the document. */
  size: z.int().positive(),
  /** What was measured less what the line says, in percent of what was measured. */
  percent: z.number(),
  /** Standard error of that over the rounds, in percentage points. */
  errorPercent: nonNegativeSchema,
});
export type SizeResidual = z.infer<typeof sizeResidualSchema>;

/** A line with 95 % intervals over the rounds. Times in µs of latency, or of server CPU. */
const sizeLineSchema = z.strictObject({
  form: sizeFormSchema,
  /** T of a document without bytes; with `records`, also without its first record. */
  offsetUs: estimateSchema,
  /** 1/Rate: what each byte adds. */
  usPerByte: estimateSchema,
  /** Rate in bytes per ms; null where the interval of 1/Rate reaches zero. */
  bytesPerMs: estimateSchema.nullable(),
  /** c, what each record adds; null for `straight`. */
  recordUs: estimateSchema.nullable(),
  /** Weighted: the share of Σ w(T − T̄)² that the line explains, w = 1/T². Null when every size takes the same time. */
  rSquared: z.number().nullable(),
  /** Akaike's criterion with the correction for few sizes, to choose between forms; null with too few sizes for it. */
  aicc: z.number().nullable(),
  residuals: z.array(sizeResidualSchema),
  /** F test of what the line misses against what varies between rounds; null where nothing is left to test with. */
  lackOfFit: z
    .strictObject({
      f: nonNegativeSchema,
      degrees: z.tuple([countSchema, countSchema]),
      pValue: z.number().min(0).max(1),
    })
    .nullable(),
  /** In sentences: why it does not hold over these sizes. Empty where it does. */
  refusals: z.array(z.string()),
});
export type SizeLine = z.infer<typeof sizeLineSchema>;

export const sizeFitSchema = z.strictObject({
  straight: sizeLineSchema,
  /** Null without TLS, and where the sizes do not tell records from bytes. */
  records: sizeLineSchema.nullable(),
  /** The form with the lower criterion; a cost per record below zero is never chosen. */
  chosen: sizeFormSchema,
  /** Where the chosen line is refused: straight lines through the sizes up to 16 KiB and from 64 KiB on. */
  pieces: z.array(sizeLineSchema),
});
export type SizeFit = z.infer<typeof sizeFitSchema>;

export type LineTerms = { offsetUs: number; usPerByte: number; recordUs: number | null };

/** T in µs of a document of `size` bytes. */
export function timeAt({ offsetUs, usPerByte, recordUs }: LineTerms, size: number): number {
  return offsetUs + size * usPerByte + (recordUs === null ? 0 : recordUs * Math.ceil(size / recordBytes));
}

export function chosenLine({ straight, records, chosen }: SizeFit): SizeLine {
  return chosen === 'records' && records !== null ? records : straight;
}
