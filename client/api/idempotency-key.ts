/** A key for one attempt. `crypto.randomUUID` exists only in a secure context, which a host on the local network is not. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
