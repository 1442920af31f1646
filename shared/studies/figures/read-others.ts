import type { DistanceDocument } from '../../kinds/distance/distance.ts';
import { farthestOf } from '../../kinds/distance/distance-sentence.ts';
import type { MeshDocument } from '../../kinds/mesh/mesh.ts';
import type { VisitsDocument } from '../../kinds/visits/visits.ts';
import { type MeshFigure, mapped, quotientOf, type Read } from './figure.ts';

/** Figures of the kinds that answer one claim or two. */

export function readDistance({ links, rows }: Pick<DistanceDocument, 'links' | 'rows'>): Read {
  const far = farthestOf(links);
  const at = (name: string) => rows.find(({ connection }) => connection === name);
  const [full, resumed] = [at('tls13'), at('tls13-resumed')];
  const [fullMs, resumedMs] = [full?.places[far]?.ms, resumed?.places[far]?.ms];
  if (fullMs == null || resumedMs == null)
    return { missing: full?.reason ?? resumed?.reason ?? 'The longest link was not measured.' };
  return [{ values: [quotientOf(resumedMs, fullMs)] }];
}

export function readVisits({ rows }: Pick<VisitsDocument, 'rows'>): Read {
  const row = rows.find(({ pass, time }) => pass === 'warm' && time === 'loadUs');
  if (row?.ratio == null) return { missing: row?.reasons[0] ?? 'No second visit was measured.' };
  const refused = row.outcome === 'refused' ? { doubt: row.reasons[0] ?? 'It was refused.' } : {};
  return [{ values: [mapped(row.ratio, (ratio) => 100 * (ratio - 1))], ...refused }];
}

const fewLaunches = { missing: 'Fewer than three launches were measured.' };

export function readMesh(
  { of }: MeshFigure,
  { arms, cpu, latency }: Pick<MeshDocument, 'arms' | 'cpu' | 'latency'>,
): Read {
  if (of === 'sidecar vCPU') {
    const parts = arms.find(({ arm }) => arm === 'secure')?.parts ?? [];
    const proxy = parts.find(({ role }) => role === 'proxy');
    return proxy === undefined ? fewLaunches : [{ values: [mapped(proxy.cpuUs, (us) => us / 1000)] }];
  }
  const { proxy, tls } = of === 'CPU of TLS' ? cpu : latency;
  if (proxy === null || tls === null) return fewLaunches;
  if (of === 'CPU of TLS') {
    // Both are shares of a direct request: of what the proxies take without TLS, it is less.
    const whole = 1 + proxy.percent.center / 100;
    return [{ values: [mapped(tls.percent, (percent) => percent / whole)] }];
  }
  const center = proxy.percent.center + tls.percent.center;
  const half = Math.hypot(...[proxy, tls].map(({ percent: { lo, hi } }) => (hi - lo) / 2));
  return [{ values: [{ center, lo: center - half, hi: center + half }] }];
}
