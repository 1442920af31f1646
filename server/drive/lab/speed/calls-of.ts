import { agreementCalls, encapsulationCalls } from './agreement-calls.ts';
import type { Calls } from './calls.ts';
import { cipherCalls } from './cipher-calls.ts';
import { digestCalls } from './digest-calls.ts';
import { signatureCalls } from './signature-calls.ts';

/** Throws the library's error for what it does not do. */
export function callsOf(primitive: string, bytes: number | null): Calls {
  const calls =
    digestCalls(primitive, bytes ?? 0) ??
    cipherCalls(primitive, bytes ?? 0) ??
    signatureCalls(primitive) ??
    agreementCalls(primitive) ??
    encapsulationCalls(primitive);
  if (calls === null) throw new Error(`there is no call for ${primitive}`);
  return calls;
}
