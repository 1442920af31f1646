import type { Target } from '../../target/target.ts';

/** Why it cannot be sampled, and what to do instead; null where it can. */
export function whyNotExplained({ target, link }: { target: Target; link?: unknown }): string | null {
  if (target.kind === 'origins' && target.agent !== undefined) {
    return 'Explain samples processes of this machine, and the target is on another host. Run TLS Toll there to explain it.';
  }
  if (target.kind === 'origins' && target.clientCertificate !== undefined) {
    return 'Explain cannot present a client certificate, because its key is not stored. Explain a server that does not require one.';
  }
  if (link !== undefined) {
    return 'Explain does not support links, and this run had one. Repeat the run without a link, and explain that one.';
  }
  return null;
}
