/**
 * The same value with every text in it mapped; keys stay as they are.
 *
 * @param except keys whose texts stay as they are as well
 */
export function mapTexts<Value>(
  value: Value,
  map: (text: string) => string,
  except: ReadonlySet<string> = nothing,
): Value {
  return mapped(value, map, except) as Value;
}

/** Of actions, requests and what a recorder tells: words from closed lists. A password may equal one, but never stands there. */
export const closedFields: ReadonlySet<string> = new Set([
  'type',
  'by',
  'button',
  'method',
  'resourceType',
  'kind',
  'ending',
  'picture',
  'state',
  'operator',
  'modifiers',
  'media',
  'colorScheme',
  'reducedMotion',
  'forcedColors',
  'contrast',
]);

const nothing: ReadonlySet<string> = new Set();

function mapped(value: unknown, map: (text: string) => string, except: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapped(inner, map, except));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, except.has(key) ? inner : mapped(inner, map, except)]),
  );
}
