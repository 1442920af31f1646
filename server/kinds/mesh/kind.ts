import { randomInt } from 'node:crypto';
import {
  applicationName,
  type MeshDocument,
  type MeshShiftName,
  meshDocumentSchema,
  meshHeadline,
  proxiesInWords,
  mesh as shapes,
} from '../../../shared/kinds/mesh/mesh.ts';
import { meshFinding } from '../../../shared/report/mesh-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten } from '../../base/text/terminal.ts';
import { demandProxy } from '../../targets/managed/kept-servers.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { defineKind } from '../define-kind.ts';
import { demandHere } from '../demand-here.ts';
import { analyseMesh, askedApplication, meshFigures, meshWarnings } from './mesh-analysis.ts';

/** Cost of a proxy in front of an application, and the share of TLS in it. */
export const mesh = defineKind<typeof shapes, ConfiguredHouse>(shapes, {
  noun: 'a mesh measurement',
  caption: 'The toll of a mesh',
  page: 'l',
  title: (request) => `${proxiesInWords(request)} in front of ${applicationName(request)}`,
  targets: (request) => [applicationName(request)],
  async prepare(request, _secrets, house) {
    const { title, version, tls } = demandProxy(request);
    await demandHere(askedApplication(request), house, 'A mesh measurement');
    return {
      facts: {
        seed: request.seed ?? randomInt(2 ** 31),
        ...{ load: null, placement: null, negotiated: null, files: [], warnings: [] },
        application: { title: applicationName(request), version: null, tlsLibrary: null },
        proxy: { title, version, tlsLibrary: tls.name },
      },
    };
  },
  conduct: async (task, watch, house) => (await import('./conduct-mesh.ts')).conductMesh(task, watch, house),
  documentOf: (head, { facts, blocks }) => ({
    ...{ ...head, ...facts },
    ...analyseMesh(head.request, blocks, facts.load?.ratePerS != null),
    launches: blocks,
    warnings: [...facts.warnings, ...meshWarnings(blocks)],
  }),
  figuresOf: meshFigures,
  rows: flatten(meshDocumentSchema.pick({ launches: true })),
  report: (document) => reportOf(document, meshFinding(document)),
  headline: meshHeadline,
  configuration: ({ files }) =>
    files.length === 0
      ? null
      : files.map(({ arm, role, name, text }) => `# ${arm}, ${role}: ${name}\n${text}`).join('\n'),
  compared: {
    figure: 'us',
    lead: 'CPU per request that proxies add at full load, and that TLS in them adds, µs.',
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
  },
});

const titles: Record<MeshShiftName, string> = { proxy: 'proxies', tls: 'TLS in them', twin: 'control' };

function figureOf(id: string, title: string, shifts: MeshDocument['cpu'], name: MeshShiftName) {
  return { id: `${id}/${name}`, name: `${title}: ${titles[name]}`, estimate: shifts[name]?.us ?? null };
}
