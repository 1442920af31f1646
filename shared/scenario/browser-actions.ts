import { z } from 'zod';
import { locatorSchema, type TextMatch, textMatchSchema } from './locator.ts';

/** Actions of a person in a browser, and the expectations that follow: the steps of a Playwright test or a DevTools recording. */

const step = {
  /** Line in its source; null when it was recorded. */
  line: z.int().positive().nullable(),
  /** 0 is the first page; a pop-up is the next one. */
  page: z.int().min(0).max(20),
  /** Whether it is over only when it has led its page to another address. */
  navigates: z.literal(true).optional(),
};
const text = z.string().max(100_000);

const located = {
  ...step,
  locator: locatorSchema,
  /** Other ways to find the same element, in the order in which they are tried. */
  otherwise: z.array(locatorSchema).min(1).max(10).optional(),
};

export const modifiers = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const;

const coordinate = z.number().min(-100_000).max(100_000);
/** From the top left corner of the element, in CSS pixels. */
const position = z.strictObject({ x: coordinate, y: coordinate });

const pointer = {
  modifiers: z.array(z.enum(modifiers)).max(5).optional(),
  /** Left out: its middle. */
  position: position.optional(),
  /** Done even where the element is covered or not enabled. */
  force: z.literal(true).optional(),
};

const button = z.enum(['left', 'right', 'middle']);
const clicks = z.int().min(1).max(3);

/** Option of a select: its value or its label, or one of them by name. */
const optionSchema = z.union([
  z.string(),
  z.strictObject({
    value: z.string().optional(),
    label: z.string().optional(),
    index: z.int().min(0).optional(),
  }),
]);
export type SelectedOption = z.infer<typeof optionSchema>;

/** Whether what is expected must not hold. */
const negated = z.literal(true).optional();

const elementStates = [
  'attached',
  'disabled',
  'enabled',
  'editable',
  'empty',
  'focused',
  'in_viewport',
] as const;
export type ElementState = (typeof elementStates)[number];

const inputActions = [
  z.strictObject({
    ...located,
    ...pointer,
    type: z.literal('click'),
    button,
    clicks,
    /** Between pressing the button and releasing it. */
    holdMs: z.int().min(0).max(60_000).optional(),
    /** The page that it opens, when it does. */
    opens: z.int().min(1).max(20).nullable(),
  }),
  z.strictObject({ ...located, ...pointer, type: z.enum(['check', 'uncheck', 'hover']) }),
  z.strictObject({ ...located, type: z.enum(['focus', 'blur', 'select_text', 'scroll_into_view']) }),
  /** `change` sets a field as DevTools does: a list by its value, a text by typing. */
  z.strictObject({
    ...located,
    type: z.enum(['fill', 'type_text', 'change']),
    value: text,
    force: pointer.force,
  }),
  /** A key or a chord such as `Control+A`; without a locator it goes to what has the focus. */
  z.strictObject({
    ...located,
    type: z.literal('press'),
    locator: locatorSchema.nullable(),
    key: z.string().max(100),
  }),
  z.strictObject({ ...step, type: z.enum(['key_down', 'key_up']), key: z.string().max(100) }),
  /** Goes to what has the focus: key by key, or as one input without keys. */
  z.strictObject({ ...step, type: z.enum(['type_keys', 'insert_text']), value: text }),
  z.strictObject({
    ...located,
    type: z.literal('select_option'),
    options: z.array(optionSchema).max(100),
    force: pointer.force,
  }),
  z.strictObject({
    ...located,
    type: z.literal('drag'),
    target: locatorSchema,
    from: position.optional(),
    to: position.optional(),
    force: pointer.force,
  }),
  z.strictObject({ ...located, type: z.literal('dispatch_event'), event: z.string().min(1).max(100) }),
  /** Without a locator: of the page. */
  z.strictObject({
    ...located,
    type: z.literal('scroll'),
    locator: locatorSchema.nullable(),
    x: coordinate,
    y: coordinate,
  }),
  z.strictObject({ ...step, type: z.literal('mouse_move'), x: coordinate, y: coordinate }),
  z.strictObject({ ...step, type: z.enum(['mouse_down', 'mouse_up']), button, clicks }),
  z.strictObject({ ...step, type: z.literal('mouse_click'), x: coordinate, y: coordinate, button, clicks }),
  z.strictObject({ ...step, type: z.literal('wheel'), deltaX: coordinate, deltaY: coordinate }),
  /** To the next dialog of any page, or to every one from now on; the others are dismissed. */
  z.strictObject({
    ...step,
    type: z.literal('answer_dialog'),
    accept: z.boolean(),
    text: text.nullable(),
    every: z.boolean(),
  }),
] as const;

const pageActions = [
  z.strictObject({
    ...step,
    type: z.literal('goto'),
    url: z.string().min(1).max(8192),
    referer: z.string().max(8192).optional(),
  }),
  z.strictObject({ ...step, type: z.enum(['go_back', 'go_forward', 'reload']) }),
  z.strictObject({ ...step, type: z.literal('close_page') }),
  z.strictObject({ ...step, type: z.literal('pause'), durationMs: z.int().min(0).max(600_000) }),
  z.strictObject({
    ...step,
    type: z.literal('viewport'),
    width: z.int().min(1).max(10_000),
    height: z.int().min(1).max(10_000),
  }),
  /** Headers of every later request. */
  z.strictObject({
    ...step,
    type: z.literal('extra_headers'),
    headers: z.array(z.tuple([z.string().min(1).max(200), z.string().max(8192)])).max(50),
  }),
  z.strictObject({
    ...step,
    type: z.literal('emulate_media'),
    media: z.enum(['screen', 'print']).optional(),
    colorScheme: z.enum(['light', 'dark', 'no-preference']).optional(),
    reducedMotion: z.enum(['reduce', 'no-preference']).optional(),
    forcedColors: z.enum(['active', 'none']).optional(),
    contrast: z.enum(['more', 'no-preference']).optional(),
  }),
] as const;

const expectations = [
  z.strictObject({
    ...located,
    type: z.enum(['expect_visible', 'expect_hidden', 'expect_checked']),
    negated,
  }),
  z.strictObject({ ...located, type: z.literal('expect_state'), state: z.enum(elementStates), negated }),
  z.strictObject({
    ...located,
    type: z.literal('expect_text'),
    match: textMatchSchema,
    /** Whether the text may be a part of what is there. */
    contains: z.boolean(),
    negated,
  }),
  z.strictObject({ ...located, type: z.literal('expect_value'), match: textMatchSchema, negated }),
  z.strictObject({
    ...located,
    type: z.literal('expect_attribute'),
    name: z.string().min(1).max(200),
    /** Null: any value. */
    match: textMatchSchema.nullable(),
    negated,
  }),
  z.strictObject({ ...located, type: z.literal('expect_count'), count: z.int().min(0), negated }),
  /** Expectation of DevTools: a number of elements, all with these attributes. */
  z.strictObject({
    ...located,
    type: z.literal('expect_elements'),
    count: z.int().min(0),
    operator: z.enum(['>=', '==', '<=']),
    attributes: z.record(z.string().max(200), z.string().max(10_000)),
    negated,
  }),
  z.strictObject({ ...step, type: z.enum(['expect_url', 'expect_title']), match: textMatchSchema, negated }),
] as const;

export const browserActionSchema = z.discriminatedUnion('type', [
  ...pageActions,
  ...inputActions,
  ...expectations,
]);
export type BrowserAction = z.infer<typeof browserActionSchema>;

const byHand: ReadonlySet<BrowserAction['type']> = new Set([
  'click',
  'check',
  'uncheck',
  'fill',
  'type_text',
  'change',
  'press',
  'key_down',
  'type_keys',
  'insert_text',
  'select_option',
  'drag',
  'dispatch_event',
  'mouse_down',
  'mouse_click',
]);

/** Whether the actions do more than open addresses, so that a browser is needed to do the same. */
export function isDoneByHand(actions: readonly BrowserAction[]): boolean {
  return actions.some(({ type }) => byHand.has(type));
}

/** Action at which a test got stuck in a browser, with the page at that moment. */
export const stuckSchema = z.strictObject({
  /** Its place among the actions, from 1. */
  step: z.int().positive(),
  /** In its source; null when it was recorded. */
  line: z.int().positive().nullable(),
  /** Such as “Step 3, line 6: no textbox “Search” found on /search within 10 s.” */
  sentence: z.string().max(2000),
  /** A small JPEG in Base64; null when the page gave none. */
  picture: z.string().max(400_000).nullable(),
});
export type Stuck = z.infer<typeof stuckSchema>;

export function isExact(match: TextMatch): boolean {
  return match.type === 'text' && match.exact;
}
