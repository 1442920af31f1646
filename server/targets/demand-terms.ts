import type { SecureContextOptions } from 'node:tls';
import { problemAt } from '../../shared/base/problem.ts';
import type { TlsProfile } from '../../shared/base/tls-profile.ts';
import { isEncrypted, type Transport } from '../../shared/base/transport.ts';
import type { TargetKind } from '../../shared/target/target.ts';
import { type Asked, fieldIn } from './part-target.ts';
import { withOffered } from './preflight/name-offered.ts';
import { rehearseHandshake } from './preflight/rehearse-handshake.ts';

/**
 * Refuses what a server of ours does not offer before a run of it waits. Throws tls_not_offered at the field that asks for it.
 * @param title of the server, as a sentence begins
 * @param server how its TLS is configured, and one of the certificates that it can have
 */
export async function demandTerms(
  asked: Omit<Asked<TargetKind>, 'target'>,
  title: string,
  server: () => Promise<SecureContextOptions>,
): Promise<void> {
  for (const [index, profile] of (asked.tls ?? []).entries()) {
    const isSecure = isEncrypted(asked.transports[index] as Transport);
    if (!isSecure || [profile.version, profile.cipher, profile.group].every((each) => each === null))
      continue;
    const options = await server();
    const rehearse = (other: TlsProfile) => rehearseHandshake(other, options, title);
    const found = await rehearse(profile);
    if (found === null) continue;
    const accepts = async (other: TlsProfile) => (await rehearse(other)) === null;
    const { message, wayOut } = await withOffered(found, profile, accepts);
    throw problemAt('tls_not_offered', fieldIn(asked, index, wayOut.field ?? 'tls'), message);
  }
}
