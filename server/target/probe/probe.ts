import type { ProbeReport, ProbeRequest } from '../../../shared/probe.ts';
import { resolveOrigin } from '../resolve-origins.ts';
import { probeTarget } from './probe-target.ts';

/** Throws invalid_request, target_not_permitted and target_unreachable, as a run does. */
export async function probe({ url, ca }: ProbeRequest): Promise<ProbeReport> {
  const { origin } = new URL(url);
  const listener = await resolveOrigin(origin, 'https', { field: 'url', ca: ca ?? null, pid: null });
  return probeTarget({ ...listener, arm: 'comparison' });
}
