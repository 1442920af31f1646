import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { overlaid } from '../../../shared/kinds/comparison/result-changes.ts';
import { serversHeadline } from '../../../shared/kinds/servers/servers.ts';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import {
  type ServersCell,
  type ServersDocument,
  type ServersFacts,
  type ServersRequest,
  type ServersVisit,
  serversDocumentSchema,
  serversFactsSchema,
  serversRequestSchema,
  serversSchemaVersion,
  serversVisitSchema,
} from '../../../shared/kinds/servers/servers-result.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { findServers, whatItLacks } from '../../targets/managed/find-servers.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import type { Kind } from '../kind.ts';
import { cellFigures, serversDocumentOf } from './servers-document.ts';
import { reportServers, resultRows, serversCommand, serversVisitRows } from './servers-report.ts';

/** HTTP against HTTPS over servers, keys, ciphers, connections and documents. */
export const servers: Kind<ServersRequest, ServersFacts, ServersVisit, ServersDocument, ConfiguredHouse> = {
  name: 'servers',
  noun: 'a sweep over servers',
  caption: 'Servers',
  page: 'r',
  requestSchema: serversRequestSchema,
  factsSchema: serversFactsSchema,
  blockSchema: serversVisitSchema,
  documentSchema: serversDocumentSchema,
  documentVersion: serversSchemaVersion,
  upgraders: {},
  title: (_request, { cells }) =>
    `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} on ${serversOf(cells).join(', ')}`,
  targets: (_request, { cells }) => serversOf(cells),
  async prepare(request) {
    const { cells, warnings } = possibleCells(expandPlan(request.plan));
    const seed = request.seed ?? randomInt(2 ** 31);
    return { facts: { seed, cells, servers: [], placement: null, warnings }, summary: {}, revisionId: null };
  },
  resumable: true,
  placeOf: ({ cell }) => cell,
  secretsOf: () => [],
  async conduct(task, watch, house) {
    const { conductServers } = await import('./conduct-servers.ts');
    return conductServers(task, watch, house);
  },
  documentOf: (frame, kept) => serversDocumentOf(frame, kept, serversCommand(frame.request, kept.facts.seed)),
  summaryOf: () => ({}),
  figuresOf: cellFigures,
  rows: resultRows,
  blockRows: serversVisitRows,
  report: reportServers,
  headline: serversHeadline,
  changes: ({ document: from }, { document: to }) => ({
    changes: overlaid('servers', from.id, to.id),
    report: null,
  }),
};

function serversOf(cells: readonly ServersCell[]): string[] {
  return [...new Set(cells.map(({ settings }) => settings.server))];
}

/** Cells that need what is not here are left out, and said. Throws server_missing when that leaves none. */
function possibleCells(planned: readonly ServersCell[]): { cells: ServersCell[]; warnings: string[] } {
  const asked = new Set(planned.map(({ settings }) => settings.server));
  const found = findServers().filter(({ name }) => asked.has(name));
  const missing = found.filter(({ installed }) => !installed);
  const without = found.filter(({ name, kTlsProblem }) =>
    kTlsProblem === null ? false : planned.some(({ settings }) => settings.kTls && settings.server === name),
  );
  const warnings = [
    ...missing.map(
      ({ name, missing: packages }) =>
        `${serverTitles[name]} is not installed, so its cells are skipped. Install ${packages.join(' and ')}.`,
    ),
    ...new Set(without.map(({ kTlsProblem }) => `Cells with kTLS are skipped. ${kTlsProblem}`)),
    ...new Set(
      planned.flatMap(({ settings }) => {
        const lacking = whatItLacks(settings);
        return lacking === null ? [] : [`Some cells are skipped. ${lacking.message}`];
      }),
    ),
  ];
  const cells = planned
    .filter(({ settings }) => missing.every(({ name }) => name !== settings.server))
    .filter(({ settings }) => whatItLacks(settings) === null)
    .filter(({ settings }) => !settings.kTls || without.every(({ name }) => name !== settings.server))
    .map((cell, index) => ({ ...cell, index }));
  if (cells.length === 0) throw problem('server_missing', warnings.join(' '));
  return { cells, warnings };
}
