import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { overlaid } from '../../../shared/kinds/comparison/result-changes.ts';
import { expandPlan } from '../../../shared/kinds/servers/plan/expand-plan.ts';
import {
  type SweepCell,
  type SweepRequest,
  sweepRequestSchema,
} from '../../../shared/kinds/servers/sweep.ts';
import {
  type SweepDocument,
  type SweepFacts,
  type SweepVisit,
  sweepDocumentSchema,
  sweepFactsSchema,
  sweepSchemaVersion,
  sweepVisitSchema,
} from '../../../shared/kinds/servers/sweep-result.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { ConfiguredHouse } from '../house.ts';
import type { Kind } from '../kind.ts';
import { sweepDocumentOf } from './analyse/sweep-document.ts';
import { sweepCommand } from './plan/sweep-command.ts';
import { cellFigures } from './report/cell-figures.ts';
import { resultRows } from './report/result-rows.ts';
import { printSweepMarkdown } from './report/sweep-markdown.ts';
import { printSweepTable } from './report/sweep-table.ts';
import { sweepVisitRows } from './report/visit-rows.ts';

/** HTTP against HTTPS over servers, keys, ciphers, connections and documents. Users call it a sweep. */
export const sweep: Kind<SweepRequest, SweepFacts, SweepVisit, SweepDocument, ConfiguredHouse> = {
  name: 'sweep',
  noun: 'a factor sweep',
  caption: 'Sweep of factors',
  page: 'r',
  requestSchema: sweepRequestSchema,
  factsSchema: sweepFactsSchema,
  blockSchema: sweepVisitSchema,
  documentSchema: sweepDocumentSchema,
  documentVersion: sweepSchemaVersion,
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
    const { conductSweep } = await import('./conduct/conduct-sweep.ts');
    return conductSweep(task, watch, house);
  },
  documentOf: (frame, kept) => sweepDocumentOf(frame, kept, sweepCommand(frame.request, kept.facts.seed)),
  summaryOf: () => ({}),
  figuresOf: cellFigures,
  rows: resultRows,
  blockRows: sweepVisitRows,
  markdown: printSweepMarkdown,
  terminal: printSweepTable,
  sentences: ({ ranking }) => ranking,
  changes: ({ document: from }, { document: to }) => ({
    changes: overlaid('sweep', from.id, to.id),
    markdown: null,
  }),
};

function serversOf(cells: readonly SweepCell[]): string[] {
  return [...new Set(cells.map(({ settings }) => settings.server))];
}

/** Cells that need what is not here are left out, and said. Throws server_missing when that leaves none. */
function possibleCells(planned: readonly SweepCell[]): { cells: SweepCell[]; warnings: string[] } {
  const asked = new Set(planned.map(({ settings }) => settings.server));
  const servers = findServers().filter(({ name }) => asked.has(name));
  const missing = servers.filter(({ installed }) => !installed);
  const without = servers.filter(({ name, kTlsObstacle }) =>
    kTlsObstacle === null ? false : planned.some(({ settings }) => settings.kTls && settings.server === name),
  );
  const warnings = [
    ...missing.map(
      ({ name, missing: packages }) =>
        `${serverTitles[name]} is not installed, so its cells are skipped. Install the Debian package ${packages.join(' and ')}.`,
    ),
    ...new Set(without.map(({ kTlsObstacle }) => `Cells with kTLS are skipped. ${kTlsObstacle}`)),
  ];
  const cells = planned
    .filter(({ settings }) => missing.every(({ name }) => name !== settings.server))
    .filter(({ settings }) => !settings.kTls || without.every(({ name }) => name !== settings.server))
    .map((cell, index) => ({ ...cell, index }));
  if (cells.length === 0) throw problem('server_missing', warnings.join(' '));
  return { cells, warnings };
}
