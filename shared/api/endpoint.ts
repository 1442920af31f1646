import { z } from 'zod';
import { apiPrefix } from '../base/addresses.ts';
import { permalinkIdSchema } from '../base/units.ts';
import { verdictOutcomeSchema } from '../kinds/comparison/comparison.ts';
import { tagSchema } from '../measurement/annotation.ts';
import { measurementStateSchema } from '../measurement/measurement.ts';
import type { Access } from '../team/role.ts';

export type Endpoint = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `apiPrefix`, Express style. */
  path: string;
  /** Who may call it, where a server demands sign-in. */
  access: Access;
  /** Entry in the audit log; absent where nothing is started or changed. */
  act?: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** Schema of the JSON body; 'bytes' for the content of a file, whatever it is. */
  body?: z.ZodType | 'bytes';
  /** Status of success. Absent: 200, or 204 without a body. */
  status?: number;
  /** Its body; null for no body; 'event-stream' for SSE; 'text' for a file. */
  response: z.ZodType | null | 'event-stream' | 'text';
};

export function statusOfSuccess({ status, response }: Endpoint): number {
  return status ?? (response === null ? 204 : 200);
}

/** Its address as documents write it, such as `/api/v1/measurements/{id}`. */
export function templateOf({ path }: Pick<Endpoint, 'path'>): string {
  return `${apiPrefix}${path}`.replace(/:(\w+)/g, '{$1}');
}

export const idParams = z.strictObject({ id: permalinkIdSchema });

/** Each kind judges its own request; `secrets` beside it are kept in memory only. */
export const anyRequestSchema = z.looseObject({});

export const createHeaders = z.object({
  /** The same key with the same request makes one measurement, however often it is sent. */
  'idempotency-key': z.string().min(1).max(200).optional(),
});

export const cancelRequestSchema = z.strictObject({ keep: z.boolean() });

export const deleteHeadersSchema = z.object({
  /** The delete token of the run. */
  'x-delete-token': z.string().min(1, 'send the delete token in the X-Delete-Token header'),
});

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const deleteQuerySchema = z.strictObject({
  /** Removed at once, in the bin or not, and nothing but a record that it existed remains. */
  permanent: flag.optional(),
});

export const listQuerySchema = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  state: measurementStateSchema.optional(),
  /** Outcome of its verdict. */
  verdict: verdictOutcomeSchema.optional(),
  /** Name of a target, as in `/filters`. */
  target: z.string().max(1000).optional(),
  tag: tagSchema.optional(),
  /** Words of title, note, tags, target and scenario, or the beginning of an id. */
  q: z.string().max(100).optional(),
});

/** A page of a list. */
export function pageOf<Key extends string, Line extends z.ZodType>(key: Key, line: Line) {
  return z.strictObject({ [key]: z.array(line), nextCursor: z.string().nullable() } as {
    [Each in Key]: z.ZodArray<Line>;
  } & { nextCursor: z.ZodNullable<z.ZodString> });
}
