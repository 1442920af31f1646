import type { AgentAt } from '../../shared/target/remote-readings.ts';
import type { OriginsTarget } from '../../shared/target/target.ts';
import { type Permission, resolveOrigin } from './resolve-origins.ts';

/** Looked up once and pinned, and judged as the target itself is. Throws target_not_permitted; null where the target has none. */
export async function resolveAgent(
  { agent }: Pick<OriginsTarget, 'agent'>,
  permission: Permission,
): Promise<AgentAt | null> {
  if (agent === undefined) return null;
  const field = 'target.agent.address';
  const given = { field, ca: null, pid: null };
  const { address, port } = await resolveOrigin(`https://${agent.address}`, 'https', given, permission);
  return { address, port, name: agent.address, fingerprint: agent.fingerprint };
}
