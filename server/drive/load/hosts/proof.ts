import { createHmac } from 'node:crypto';

/** That a host has the token, by the key of its connection. */
export function proofOf(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(`join\n${name}`).digest('hex');
}
