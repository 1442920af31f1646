import type { ProbeReport, ProbeRequest } from '../../../shared/target/probe.ts';
import { clientKeyName } from '../../../shared/target/target.ts';
import { clientIdentityOf } from '../client-identity.ts';
import { checkInTurn } from '../host-turn.ts';
import { type Permission, resolveOrigin } from '../resolve-origins.ts';
import { startSignal } from '../start-limit.ts';
import { probeTarget } from './probe-target.ts';

/** Throws invalid_request, target_not_permitted and target_unreachable, as a run does. */
export async function probe(
  { url, ca, clientCertificate, secrets }: ProbeRequest,
  permission: Permission,
): Promise<ProbeReport> {
  const { origin } = new URL(url);
  const clientIdentity =
    clientCertificate === undefined
      ? undefined
      : clientIdentityOf(clientCertificate, secrets[clientKeyName], 'clientCertificate');
  const given = {
    ...{ field: 'url', ca: ca ?? null, pid: null },
    ...(clientIdentity === undefined ? {} : { clientIdentity }),
  };
  const listener = await resolveOrigin(origin, 'https', given, permission);
  const signal = startSignal(permission);
  return checkInTurn([listener], permission, signal, () =>
    probeTarget({ ...listener, arm: 'comparison' }, { signal }),
  );
}
