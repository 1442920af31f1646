import { problemAt } from '../../shared/base/problem.ts';
import { parseSelector } from '../../shared/kinds/comparison/metric-selector.ts';
import type { ExporterAt } from '../../shared/target/prometheus-source.ts';
import type { OriginsTarget } from '../../shared/target/target.ts';
import { type Permission, resolveOrigin } from './resolve-origins.ts';

/** An exporter is asked no more often, as some read every process of their host each time. */
const mostPerS = 20;

/**
 * Looked up once and pinned, and judged as the target itself is. Throws target_not_permitted, invalid_request; null where the
 * target has none.
 */
export async function resolveExporter(
  { prometheus, agent, ca }: Pick<OriginsTarget, 'prometheus' | 'agent' | 'ca'>,
  permission: Permission,
): Promise<ExporterAt | null> {
  if (prometheus === undefined) return null;
  if (agent !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.prometheus',
      'The target has an agent already. Leave one of them out.',
    );
  }
  const { origin, protocol, pathname, search } = new URL(prometheus.url);
  const given = { field: 'target.prometheus.url', ca: null, pid: null };
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const { address, port, hostname, permit } = await resolveOrigin(origin, scheme, given, permission);
  const bearer = prometheus.bearer === true;
  if (bearer && scheme === 'http' && permit !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.prometheus.url',
      'A token goes to another host over HTTPS only. Begin the address with https://.',
    );
  }
  return {
    bearer,
    ...{ address, port, hostname, path: `${pathname}${search}`, secure: scheme === 'https', ca: ca ?? null },
    name: prometheus.url,
    cpu: selected('cpu', prometheus.cpu),
    memory: selected('memory', prometheus.memory),
    mostPerS: Math.min(mostPerS, permit?.caps.requestsPerS ?? mostPerS),
  };
}

function selected(which: 'cpu' | 'memory', text: string): ExporterAt['cpu'] {
  const selector = parseSelector(text);
  if (selector === null)
    throw problemAt('invalid_request', `target.prometheus.${which}`, `${text} is not a metric.`);
  return { selector, text };
}
