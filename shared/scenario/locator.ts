import { z } from 'zod';

/** How an element of a page is found, as Playwright's locators find it. */

export const textMatchSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string().max(10_000),
    exact: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('pattern'), pattern: z.string().max(1000), flags: z.string().max(8) }),
]);
export type TextMatch = z.infer<typeof textMatchSchema>;

const namedBy = ['text', 'label', 'placeholder', 'alt_text', 'title', 'test_id'] as const;
const toggle = z.union([z.boolean(), z.literal('mixed')]);

/** States that narrow a role. */
const roleStatesSchema = z.strictObject({
  checked: toggle.optional(),
  disabled: z.boolean().optional(),
  expanded: z.boolean().optional(),
  includeHidden: z.boolean().optional(),
  level: z.int().optional(),
  pressed: toggle.optional(),
  selected: z.boolean().optional(),
  description: textMatchSchema.optional(),
});
export type RoleStates = z.infer<typeof roleStatesSchema>;

const selector = z.string().min(1).max(2000);

/** One narrowing of what is meant. */
const plainParts = [
  z.strictObject({
    by: z.literal('role'),
    role: z.string().max(50),
    name: textMatchSchema.nullable(),
    states: roleStatesSchema.optional(),
  }),
  z.strictObject({ by: z.enum(namedBy), match: textMatchSchema }),
  /** CSS, or XPath when it starts with `xpath=`. */
  z.strictObject({ by: z.literal('selector'), selector }),
  z.strictObject({ by: z.enum(['has_text', 'has_not_text']), match: textMatchSchema }),
  z.strictObject({ by: z.literal('visible'), visible: z.boolean() }),
  /** From 0; -1 is the last. */
  z.strictObject({ by: z.literal('nth'), index: z.int() }),
  /** Inside the frame of that selector. */
  z.strictObject({ by: z.literal('frame'), selector }),
  /** Inside the frame that was found. */
  z.strictObject({ by: z.literal('content_frame') }),
  /** The frame that was entered, as an element. */
  z.strictObject({ by: z.literal('owner') }),
] as const;

/**
 * Two locators in one: what is found inside, or is not; what both find, or either; and what the other finds inside each of
 * what was found. Bounded in depth, so that nothing a user sends nests without end.
 */
const nestedBy = z.enum(['has', 'has_not', 'and', 'or', 'within_each']);
const maxParts = 20;

const innermostSchema = z.array(z.discriminatedUnion('by', plainParts)).min(1).max(maxParts);
const innerSchema = z
  .array(
    z.discriminatedUnion('by', [...plainParts, z.strictObject({ by: nestedBy, locator: innermostSchema })]),
  )
  .min(1)
  .max(maxParts);

export const locatorPartSchema = z.discriminatedUnion('by', [
  ...plainParts,
  z.strictObject({ by: nestedBy, locator: innerSchema }),
]);
export type LocatorPart = z.infer<typeof locatorPartSchema>;

/** A chain of narrowings, read as Playwright reads it. */
export const locatorSchema = z.array(locatorPartSchema).min(1).max(maxParts);
export type Locator = z.infer<typeof locatorSchema>;
