import type { MeshDocument, MeshShiftName } from '../../../shared/kinds/mesh/mesh.ts';
import { applicationName, proxiesInWords } from '../../../shared/kinds/mesh/mesh-sentence.ts';
import type { Figure, FigureComparison } from '../compare-figures.ts';

/** Two measurements of a mesh are compared by what the proxies and TLS in them cost. */
export const meshChanges: FigureComparison<MeshDocument> = {
  kind: 'mesh',
  figure: 'us',
  lead: 'CPU of a request at load that proxies add, and that TLS in them adds, µs.',
  figuresOf: ({ cpu, latency }) => [
    figureOf('cpu', 'CPU', cpu, 'proxy'),
    figureOf('cpu', 'CPU', cpu, 'tls'),
    figureOf('latency', 'Latency', latency, 'proxy'),
    figureOf('latency', 'Latency', latency, 'tls'),
  ],
  setupOf: ({ request, application, proxy }) => [
    { name: 'Proxies', value: proxiesInWords(request) },
    { name: 'Version of the proxy', value: proxy.version ?? 'unknown' },
    { name: 'Application', value: `${applicationName(request)} ${application.version ?? ''}`.trim() },
    { name: 'Key', value: request.key },
    { name: 'Document', value: request.address ?? `${request.bytes} bytes` },
    { name: 'Users', value: request.users === null ? 'found' : String(request.users) },
  ],
};

const titles: Record<MeshShiftName, string> = { proxy: 'proxies', tls: 'TLS in them', twin: 'null check' };

function figureOf(id: string, title: string, shifts: MeshDocument['cpu'], name: MeshShiftName): Figure {
  return { id: `${id}/${name}`, name: `${title}: ${titles[name]}`, estimate: shifts[name]?.us ?? null };
}
