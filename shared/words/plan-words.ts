import { printNumber } from '../base/quantity.ts';
import type { TlsProfile } from '../base/tls-profile.ts';
import type { ConnectionPolicy } from '../kinds/comparison/load-choice.ts';
import type { Plan } from '../kinds/comparison/load-profile.ts';
import { printTlsVersion } from './negotiated-words.ts';

/** What was planned for a run, in words: on its page, and where two runs are told apart. */

const policyWords: Record<ConnectionPolicy, string> = {
  'keep-alive': 'kept open',
  'connection-per-transaction': 'a new one for each transaction',
  'connection-per-request': 'a new one for each request',
  'requests-per-connection': 'a new one after a fixed number of requests',
};

/** `kept open`. */
export function connectionsInWords({ connectionPolicy, requestsPerConnection }: Plan): string {
  return connectionPolicy === 'requests-per-connection'
    ? `a new one after ${printNumber(requestsPerConnection, 0)} requests`
    : policyWords[connectionPolicy];
}

/** `best version of both ends, no resumption`, `TLS 1.2, no resumption, X25519`. */
export function tlsInWords({ version, resumption, resumedShare, cipher, group, verify }: TlsProfile): string {
  const resumes = {
    none: 'no resumption',
    tickets: 'resumption by tickets',
    mix: `${printNumber(resumedShare * 100, 0)} % of the new connections resume`,
  };
  return [
    version === null ? 'best version of both ends' : printTlsVersion(version),
    resumes[resumption],
    ...(cipher === null ? [] : [cipher]),
    ...(group === null ? [] : [group]),
    ...(verify ? [] : ['certificate not checked']),
  ].join(', ');
}

/** `120 transactions/s`; what was asked for, or found out. */
export function rateInWords(plan: Plan): string {
  if (!hasOpenLoad(plan)) return 'no open load';
  const rate = plan.ratePerS;
  return rate === null ? 'not settled' : `${printNumber(rate, rate < 100 ? 1 : 0)} transactions/s`;
}

export function hasOpenLoad(plan: Plan): boolean {
  return plan.openMs !== null;
}
