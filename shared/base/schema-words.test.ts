/** Protects people from the words of the schema library, whatever they send. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scenarioDraftSchema } from '../scenario/stored-scenario.ts';
import { problemOfIssues } from './problem.ts';

const schema = z.strictObject({
  users: z.int().min(1).max(5000).optional(),
  name: z.string().min(1).max(3).optional(),
  rate: z.number().gt(0).multipleOf(2).optional(),
  tags: z.array(z.string()).max(1).optional(),
  kind: z.enum(['one', 'other']).optional(),
  only: z.literal('this').optional(),
  place: z.union([z.literal('here'), z.null()]).optional(),
  either: z.union([z.number(), z.strictObject({ a: z.int() })]).optional(),
  shape: z
    .discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })])
    .optional(),
  code: z.string().regex(/^a+$/).optional(),
  isOn: z.boolean().optional(),
  map: z.record(z.string(), z.number()).optional(),
  needed: z.string(),
});

test.each<[unknown, string]>([
  [{ users: 0 }, 'users: must be at least 1'],
  [{ users: 5001 }, 'users: must be at most 5000'],
  [{ users: 1.5 }, 'users: must be a whole number'],
  [{ users: '1' }, 'users: must be a number'],
  [{ users: null }, 'users: must be a number'],
  [{ name: '' }, 'name: must have at least 1 character'],
  [{ name: 'abcd' }, 'name: must have at most 3 characters'],
  [{ rate: 0 }, 'rate: must be more than 0'],
  [{ rate: 3 }, 'rate: must be a multiple of 2'],
  [{ tags: ['a', 'b'] }, 'tags: must have at most 1 item'],
  [{ tags: {} }, 'tags: must be a list'],
  [{ kind: 'x' }, 'kind: must be one of one, other'],
  [{ only: 'x' }, 'only: must be this'],
  [{ place: 'x' }, 'place: must be here or null'],
  [{ either: 'x' }, 'either: must be a number or an object'],
  [{ either: { a: 'x' } }, 'either.a: must be a number'],
  [{ shape: { is: 'x' } }, 'shape.is: must be one of a, b'],
  [{ code: 'b' }, 'code: has a wrong format'],
  [{ isOn: 'yes' }, 'isOn: must be true or false'],
  [{ map: { a: 'x' } }, 'map.a: must be a number'],
  [{}, 'needed: missing'],
  [[], 'must be an object'],
  [null, 'must be an object'],
])('%j is refused in our words', (value, words) => {
  const given =
    value !== null && Object.keys(value as object).length > 0 ? { needed: '', ...Object(value) } : value;
  const { error } = schema.safeParse(given);
  expect(error && problemOfIssues('invalid_request', error, 'The body').message).toBe(`The body: ${words}`);
});

test('an empty site is refused, and nothing fails', () => {
  const draft = { scenario: { name: 'Mine', steps: [{ name: 'a', method: 'GET', path: '/' }] }, site: '' };
  expect(scenarioDraftSchema.safeParse(draft).error?.issues).toEqual([
    expect.objectContaining({
      path: ['site'],
      message: 'must be "storefront" or an origin such as http://127.0.0.1:8080',
    }),
  ]);
});
