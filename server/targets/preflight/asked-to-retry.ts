import { createHash } from 'node:crypto';

/**
 * Whether the first message of a TLS 1.3 server is a HelloRetryRequest: a ServerHello whose random is the hash of
 * that name. Source: RFC 8446, section 4.1.3.
 */
export function wasAskedToRetry(head: Buffer): boolean {
  const isServerHello = head[0] === 22 && head[5] === 2;
  return isServerHello && head.subarray(11, 43).equals(helloRetryRandom);
}

const helloRetryRandom = createHash('sha256').update('HelloRetryRequest').digest();
