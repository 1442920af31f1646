import type { Field } from './http2/response-head.ts';

/** The fields of an HTTP/1.1 head that was found valid, from its status line to its empty line; names in lower case. */
export function parseFields(head: Buffer): Field[] {
  const [, ...lines] = head.toString('latin1').split('\r\n');
  return lines.filter((line) => line !== '').map(parseField);
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
}
