import type { BySide } from '../base/transport.ts';
import type { Spoken } from '../kinds/visits/visits.ts';
import { joinValues } from './negotiated-words.ts';

/** `HTTP/1.1 → HTTP/2, TLS 1.3, AES-128-GCM, X25519MLKEM768`: what a browser and both sides agreed on. */
export function spokenWords({ baseline, comparison }: BySide<Spoken>): string {
  const protocols = [baseline, comparison].map((side) => side.protocols.map(printProtocol).join(' and '));
  const tls = comparison.tls ?? baseline.tls;
  return [
    joinValues(protocols[0] ?? '', protocols[1] ?? ''),
    ...(tls === null ? [] : [tls.protocol, tls.cipher.replaceAll('_', '-'), tls.group]),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function printProtocol(protocol: string): string {
  const known: Record<string, string> = { h2: 'HTTP/2', h3: 'HTTP/3' };
  return known[protocol] ?? protocol.toUpperCase();
}
