import { z } from 'zod';

/** An estimate and its confidence interval, at 95 % unless another confidence is given. */
export const estimateSchema = z.strictObject({
  center: z.number(),
  lo: z.number(),
  hi: z.number(),
});

export type Estimate = z.infer<typeof estimateSchema>;
