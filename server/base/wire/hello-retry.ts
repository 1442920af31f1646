import { createHash } from 'node:crypto';

/**
 * Whether the first message of a TLS 1.3 server is a HelloRetryRequest: a ServerHello whose random is the hash of
 * that name. Source: RFC 8446, section 4.1.3.
 */
export function isHelloRetry(record: Buffer): boolean {
  const isServerHello = record[0] === 22 && record[5] === 2;
  return isServerHello && record.subarray(11, 43).equals(retryRandom);
}

const retryRandom = createHash('sha256').update('HelloRetryRequest').digest();
