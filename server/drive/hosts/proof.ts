import { createHmac } from 'node:crypto';

/** Proves that a host has the token. @param key of the connection */
export function proofOf(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(`join\n${name}`).digest('hex');
}
