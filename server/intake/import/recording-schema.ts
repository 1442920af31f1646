import { z } from 'zod';

/** All steps of @puppeteer/replay 3.1.3 are known here, which writes and reads what DevTools exports. */

const text = z.string('expected a text');
const number = z.number('expected a number');
const flag = z.boolean('expected true or false');

const base = {
  timeout: number.optional(),
  assertedEvents: z
    .array(z.looseObject({ type: z.literal('navigation', 'expected navigation') }), 'expected a list')
    .optional(),
  /** `main`, or the address of another window. */
  target: text.optional(),
};
const inFrame = {
  ...base,
  /** Which frame of the page, then which frame of that one. */
  frame: z.array(z.int('expected a whole number').min(0), 'expected a list of numbers').max(10).optional(),
};
const oneOrMore = 'expected a text or a list of texts';
const located = {
  ...inFrame,
  selectors: z
    .array(z.union([text, z.array(text).min(1, oneOrMore)], oneOrMore), 'expected a list')
    .min(1, 'expected at least one selector'),
};
const clicked = {
  ...located,
  deviceType: z.enum(['mouse', 'pen', 'touch'], 'expected mouse, pen or touch').optional(),
  button: z
    .enum(
      ['primary', 'auxiliary', 'secondary', 'back', 'forward'],
      'expected primary, auxiliary, secondary, back or forward',
    )
    .optional(),
  offsetX: number.optional(),
  offsetY: number.optional(),
  duration: number.optional(),
};

const stepSchemas = [
  z.looseObject({ type: z.literal('change'), ...located, value: text }),
  z.looseObject({ type: z.literal('click'), ...clicked }),
  z.looseObject({ type: z.literal('doubleClick'), ...clicked }),
  z.looseObject({ type: z.literal('close'), ...base }),
  z.looseObject({ type: z.literal('customStep'), ...inFrame, name: text }),
  z.looseObject({ type: z.literal('emulateNetworkConditions'), ...base }),
  z.looseObject({ type: z.literal('hover'), ...located }),
  z.looseObject({ type: z.literal('keyDown'), ...base, key: text }),
  z.looseObject({ type: z.literal('keyUp'), ...base, key: text }),
  z.looseObject({ type: z.literal('navigate'), ...base, url: text }),
  z.looseObject({
    type: z.literal('scroll'),
    ...located,
    selectors: located.selectors.optional(),
    x: number.optional(),
    y: number.optional(),
  }),
  z.looseObject({
    type: z.literal('setViewport'),
    ...base,
    width: number,
    height: number,
    isMobile: flag.optional(),
    hasTouch: flag.optional(),
    deviceScaleFactor: number.optional(),
  }),
  z.looseObject({
    type: z.literal('waitForElement'),
    ...located,
    operator: z.enum(['>=', '==', '<='], 'expected >=, == or <=').optional(),
    count: number.optional(),
    visible: flag.optional(),
    properties: z.unknown().optional(),
    attributes: z.record(z.string(), text, 'expected an object of texts').optional(),
  }),
  z.looseObject({ type: z.literal('waitForExpression'), ...inFrame, expression: text }),
] as const;
const stepSchema = z.discriminatedUnion('type', stepSchemas);
export type RecordedStep = z.infer<typeof stepSchema>;
export type LocatedStep = Extract<RecordedStep, { selectors: unknown }>;
export type Selector = string | string[];

export const stepTypes: readonly string[] = stepSchemas.map(({ shape }) => shape.type.value);

export const recordingSchema = z.looseObject({
  title: z.string().optional(),
  steps: z.array(z.unknown()).max(5000),
});

/** A step, or the rest of a sentence that begins with it. */
export function readRecordedStep(json: unknown): { step: RecordedStep } | { reason: string } {
  const { data, error } = stepSchema.safeParse(json);
  if (data !== undefined) return { step: data };
  if (typeof json !== 'object' || json === null) return { reason: 'is not an object' };
  const { type } = json as { type?: unknown };
  if (typeof type !== 'string') return { reason: 'has no type' };
  if (!stepTypes.includes(type))
    return { reason: `has the type ${type.slice(0, 40)}, which is not supported` };
  const [issue] = error.issues;
  return {
    reason: `has a mistake at ${issue?.path.join('.') ?? 'its type'}: ${issue?.message ?? 'unknown'}`,
  };
}

const most = 20;

/** Something of a source that sends nothing, and its line or step. */
export type WithoutEffect = { line: number; what: string };

/** A sentence that lists what was left out because it sends nothing; none when nothing was. */
export function noteOn(withoutEffect: readonly WithoutEffect[], place: 'line' | 'step'): string[] {
  if (withoutEffect.length === 0) return [];
  const lines = Map.groupBy(withoutEffect, ({ what }) => what);
  const parts = [...lines].map(([what, places]) => {
    const numbers = [...new Set(places.map(({ line }) => line))];
    return `${what} (${place} ${numbers.slice(0, most).join(', ')}${numbers.length > most ? ', …' : ''})`;
  });
  const shown = parts.slice(0, most).join(', ');
  const more = parts.length > most ? ` and ${parts.length - most} more` : '';
  return [`Left out, because it sends nothing: ${shown}${more}.`];
}
