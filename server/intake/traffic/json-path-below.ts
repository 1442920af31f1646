/** The path of a value below another one: `$.user.name`, or `$['first name']` where a name needs it. */
export function jsonPathBelow(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
}
