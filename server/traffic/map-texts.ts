/** The same value with every text in it mapped; keys stay as they are. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  return mapped(value, map) as Value;
}

function mapped(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapped(inner, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, map)]));
}
