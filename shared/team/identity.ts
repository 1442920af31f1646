import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { roles } from './role.ts';

export const roleSchema = z.enum(roles);

/** Who asks: a person, or a program on the server's own machine, which has no id. */
const actorSchema = z.strictObject({
  id: permalinkIdSchema.nullable(),
  /** Email address of a person. */
  name: z.string(),
  /** That of the key, where one was sent, or of its owner if that is lower. */
  role: roleSchema,
  /** Name of the API key that a program sent on behalf of the person; null for a browser. */
  key: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

/** `anna@example.com`, or `anna@example.com with the key nightly`. */
export function printActor({ name, key }: Pick<Actor, 'name' | 'key'>): string {
  return key === null ? name : `${name} with the key ${key}`;
}

/** How people sign in, besides with a password. */
const signInWaysSchema = z.strictObject({
  /** Name of the identity provider; null for none. */
  provider: z.string().nullable(),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;

/** What a page knows of its reader. */
export const identitySchema = z.strictObject({
  /** Null for nobody. */
  actor: actorSchema.nullable(),
  /** Whether results open for everyone who has their link. */
  linksOpen: z.boolean(),
  ways: signInWaysSchema,
});
export type Identity = z.infer<typeof identitySchema>;
