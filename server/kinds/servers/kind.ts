import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { serversHeadline, servers as shapes } from '../../../shared/kinds/servers/servers.ts';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import type { ServersCell } from '../../../shared/kinds/servers/servers-result.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { findServers, whatItLacks } from '../../targets/managed/find-servers.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { defineKind } from '../define-kind.ts';
import { cellFigures, serversFindings } from './servers-document.ts';
import { reportServers, serversCommand, serversRows } from './servers-report.ts';

/** HTTP against HTTPS over servers, keys, ciphers, connections and documents. */
export const servers = defineKind<typeof shapes, ConfiguredHouse>(shapes, {
  noun: 'a sweep over servers',
  caption: 'Servers',
  page: 'r',
  title: (_request, { cells }) =>
    `${cells.length} ${cells.length === 1 ? 'combination' : 'combinations'} on ${serversOf(cells).join(', ')}`,
  targets: (_request, { cells }) => serversOf(cells),
  async prepare(request) {
    const { cells, warnings } = possibleCells(expandPlan(request.plan));
    const seed = request.seed ?? randomInt(2 ** 31);
    return { facts: { seed, cells, servers: [], placement: null, warnings } };
  },
  resumable: true,
  placeOf: ({ cell }) => cell,
  conduct: async (task, watch, house) =>
    (await import('./conduct-servers.ts')).conductServers(task, watch, house),
  command: serversCommand,
  documentOf: (head, { facts, blocks }) => ({ ...head, ...facts, ...serversFindings(head, facts, blocks) }),
  figuresOf: cellFigures,
  rows(document) {
    const { view, rows } = cellFigures(document);
    const names = view.columns.map(({ name }) => name);
    return [
      ['measurement_id', ...names],
      ...rows.map((row) => [document.id, ...names.map((name) => row[name])]),
    ];
  },
  blockRows: serversRows,
  report: reportServers,
  headline: serversHeadline,
});

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
        `${serverTitles[name]} is not installed, so its combinations are skipped. Install ${packages.join(' and ')}.`,
    ),
    ...new Set(without.map(({ kTlsProblem }) => `Combinations with kTLS are skipped. ${kTlsProblem}`)),
    ...new Set(
      planned.flatMap(({ settings }) => {
        const lacking = whatItLacks(settings);
        return lacking === null ? [] : [`Some combinations are skipped. ${lacking.message}`];
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
