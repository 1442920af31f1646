/** Headers that are between two neighbours, RFC 9110 section 7.6.1: each side of a proxy writes its own. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @param raw names and values in turn, as `rawHeaders` has them */
export function withoutHopHeaders(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!hopHeaders.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
