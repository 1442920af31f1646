import { sentenceOf } from '../../../../shared/historic/claim.ts';
import { malmgrenClaims } from '../../../../shared/historic/malmgren-claims.ts';
import type { ServersDocument } from '../../../../shared/kinds/servers/servers-result.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';
import { cellRows } from './cell-rows.ts';

/** A sweep over servers as a report in Markdown. */
export function printServersMarkdown(document: ServersDocument): string {
  const { id, createdAt, state, problem, warnings, ranking, servers, environment, command } = document;
  const claims = malmgrenClaims(document).map(sentenceOf);
  const [head = [], ...rows] = cellRows(document);
  const sections = [
    '# What HTTPS costs on real servers',
    ranking.length === 0 ? '' : listOf(ranking),
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}.`,
    problem === null ? '' : plainly(`${problem.detail} ${problem.advice}`),
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
    claims.length === 0 ? '' : `## Malmgren 2011, today\n\n${listOf(claims)}`,
    `## Cells\n\n${tableOf(head, rows)}`,
    servers.length === 0
      ? ''
      : `## Servers\n\n${listOf(servers.map(({ title, version, tlsLibrary }) => `${title} ${version}, ${tlsLibrary ?? 'TLS library unknown'}`))}`,
    `## Where\n\n${machineOf(environment, document.placement)}`,
    `## Repeat it\n\n    ${command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
