import { randomInt } from 'node:crypto';
import {
  applicationName,
  type MeshDocument,
  type MeshFacts,
  type MeshLaunch,
  type MeshRequest,
  meshDocumentSchema,
  meshFactsSchema,
  meshHeadline,
  meshLaunchSchema,
  meshRequestSchema,
  meshSchemaVersion,
  proxiesInWords,
} from '../../../shared/kinds/mesh/mesh.ts';
import { meshFinding } from '../../../shared/report/mesh-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { demandProxy } from '../../targets/managed/kept-servers.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { demandHere } from '../demand-here.ts';
import type { Kind } from '../kind.ts';
import {
  analyseMesh,
  askedApplication,
  meshChanges,
  meshCommand,
  meshFigures,
  meshRows,
  meshWarnings,
} from './mesh-analysis.ts';

/** Cost of a proxy in front of an application, and the share of TLS in it. */
export const mesh: Kind<MeshRequest, MeshFacts, MeshLaunch, MeshDocument, ConfiguredHouse> = {
  name: 'mesh',
  noun: 'a mesh measurement',
  caption: 'The toll of a mesh',
  page: 'l',
  requestSchema: meshRequestSchema,
  factsSchema: meshFactsSchema,
  blockSchema: meshLaunchSchema,
  documentSchema: meshDocumentSchema,
  documentVersion: meshSchemaVersion,
  upgraders: {},
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
      summary: {},
      revisionId: null,
    };
  },
  secretsOf: () => [],
  async conduct(task, watch, house) {
    const { conductMesh } = await import('./conduct-mesh.ts');
    return conductMesh(task, watch, house);
  },
  documentOf: (frame, { facts, blocks }) => ({
    schemaVersion: meshSchemaVersion,
    kind: 'mesh',
    ...frame,
    command: meshCommand(frame.request, facts.seed),
    ...facts,
    ...analyseMesh(frame.request, blocks, facts.load?.ratePerS != null),
    launches: blocks,
    warnings: [...facts.warnings, ...meshWarnings(blocks)],
  }),
  summaryOf: () => ({}),
  figuresOf: meshFigures,
  rows: meshRows,
  report: (document) => reportOf(document, meshFinding(document)),
  headline: meshHeadline,
  configuration: ({ files }) =>
    files.length === 0
      ? null
      : files.map(({ arm, role, name, text }) => `# ${arm}, ${role}: ${name}\n${text}`).join('\n'),
  changes: (from, to) => changesOfFigures(meshChanges, from, to),
};
