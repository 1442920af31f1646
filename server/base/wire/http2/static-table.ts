/** The fields that HPACK knows by number; the first has number 1. Source: RFC 7541, appendix A. */
export const staticTable: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/** Numbers 1 to 14 are the fields whose name starts with a colon. */
export const lastPseudoIndex = 14;
export const firstStatusIndex = 8;
export const contentLengthIndex = 28;

/** By number, for readers that make no strings: length of the name, of name and value, and the status that it says. */
export const staticNameLengths = numbered((name) => name.length);
export const staticLengths = numbered((name, value) => name.length + value.length);
export const staticStatuses = numbered((name, value) => (name === ':status' ? Number(value) : 0));

function numbered(measure: (name: string, value: string) => number): Uint16Array {
  return Uint16Array.from([0, ...staticTable.map(([name, value]) => measure(name, value))]);
}

/** Number of the field, or of the first with its name; 0 for neither. */
export function staticIndexOf(name: string, value: string): { index: number; whole: boolean } {
  const whole = staticTable.findIndex((field) => field[0] === name && field[1] === value && value !== '');
  if (whole >= 0) return { index: whole + 1, whole: true };
  return { index: staticTable.findIndex((field) => field[0] === name) + 1, whole: false };
}
