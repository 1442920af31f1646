import { z } from 'zod';

/** What a person does in a browser, and what must then be seen: the steps of a Playwright test or a DevTools recording. */

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

/** One narrowing of what is meant; a locator is a chain of them, read as Playwright reads it. */
export const locatorPartSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('role'), role: z.string().max(50), name: textMatchSchema.nullable() }),
  z.strictObject({ by: z.enum(namedBy), match: textMatchSchema }),
  /** CSS, or XPath when it starts with `xpath=`. */
  z.strictObject({ by: z.literal('selector'), selector: z.string().min(1).max(2000) }),
  z.strictObject({ by: z.literal('has_text'), match: textMatchSchema }),
  /** From 0; -1 is the last. */
  z.strictObject({ by: z.literal('nth'), index: z.int() }),
  z.strictObject({ by: z.literal('frame'), selector: z.string().min(1).max(2000) }),
]);
export type LocatorPart = z.infer<typeof locatorPartSchema>;
export const locatorSchema = z.array(locatorPartSchema).min(1).max(20);
export type Locator = z.infer<typeof locatorSchema>;

const step = {
  /** Where it stands in its source; null when it was recorded. */
  line: z.int().positive().nullable(),
  /** 0 is the first page; a pop-up is the next one. */
  page: z.int().min(0).max(20),
};
const text = z.string().max(100_000);

export const browserActionSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...step, type: z.literal('goto'), url: z.string().min(1).max(8192) }),
  z.strictObject({ ...step, type: z.enum(['go_back', 'go_forward', 'reload', 'close_page']) }),
  z.strictObject({
    ...step,
    type: z.literal('click'),
    locator: locatorSchema,
    button: z.enum(['left', 'right', 'middle']),
    clicks: z.int().min(1).max(3),
    /** The page that it opens, when it does. */
    opens: z.int().min(1).max(20).nullable(),
  }),
  z.strictObject({ ...step, type: z.enum(['check', 'uncheck', 'hover', 'focus']), locator: locatorSchema }),
  z.strictObject({ ...step, type: z.enum(['fill', 'type_text']), locator: locatorSchema, value: text }),
  /** A key or a chord such as `Control+A`; without a locator it goes to what has the focus. */
  z.strictObject({
    ...step,
    type: z.literal('press'),
    locator: locatorSchema.nullable(),
    key: z.string().max(100),
  }),
  z.strictObject({
    ...step,
    type: z.literal('select_option'),
    locator: locatorSchema,
    options: z.array(z.string()).max(100),
  }),
  z.strictObject({ ...step, type: z.literal('pause'), durationMs: z.int().min(0).max(600_000) }),
  z.strictObject({
    ...step,
    type: z.literal('viewport'),
    width: z.int().min(1).max(10_000),
    height: z.int().min(1).max(10_000),
  }),
  z.strictObject({
    ...step,
    type: z.enum(['expect_visible', 'expect_hidden', 'expect_checked']),
    locator: locatorSchema,
  }),
  z.strictObject({
    ...step,
    type: z.literal('expect_text'),
    locator: locatorSchema,
    match: textMatchSchema,
    /** Whether the text may be a part of what is there. */
    contains: z.boolean(),
  }),
  z.strictObject({
    ...step,
    type: z.literal('expect_value'),
    locator: locatorSchema,
    match: textMatchSchema,
  }),
  z.strictObject({ ...step, type: z.literal('expect_count'), locator: locatorSchema, count: z.int().min(0) }),
  z.strictObject({ ...step, type: z.enum(['expect_url', 'expect_title']), match: textMatchSchema }),
]);
export type BrowserAction = z.infer<typeof browserActionSchema>;

const byHand = ['click', 'check', 'uncheck', 'fill', 'type_text', 'press', 'select_option'] as const;

/** Whether the actions do more than open addresses, so that a browser is needed to do the same. */
export function isDoneByHand(actions: readonly BrowserAction[]): boolean {
  return actions.some(({ type }) => (byHand as readonly string[]).includes(type));
}
