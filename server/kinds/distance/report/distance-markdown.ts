import { describeLink } from '../../../../shared/kinds/comparison/link.ts';
import { connectionTitles, type DistanceDocument } from '../../../../shared/kinds/distance/distance.ts';
import { distanceSentences } from '../../../../shared/kinds/distance/distance-sentence.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';
import { distanceTable } from './distance-table.ts';

/** The distances as a report in Markdown. */
export function printDistanceMarkdown(document: DistanceDocument): string {
  const { id, createdAt, state, plan, links, rows, warnings } = document;
  const [headline = 'What a new connection costs at a distance', ...others] = distanceSentences(document);
  const measured = rows.filter(({ reason }) => reason === null);
  const missing = rows.flatMap(({ connection, reason }) =>
    reason === null ? [] : [`${connectionTitles[connection]}: ${reason}`],
  );
  const [header = [], ...lines] = distanceTable({ links, rows: measured });
  const sections = [
    `# ${plainly(headline)}`,
    others.map(plainly).join(' '),
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}: ${plan.rounds} of ${plan.roundsPlanned} rounds of ${plan.connections} connections in random order.`,
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
    measured.length === 0
      ? ''
      : `## Milliseconds to the first byte\n\nMedian of the rounds, with 95 % CI. Round trips are expected from the flights of the handshake, and measured as the slope over all links.\n\n${tableOf(header, lines)}`,
    missing.length === 0 ? '' : `## Not measured\n\n${listOf(missing)}`,
    `## Links\n\n${listOf(links.map(describeLink))}`,
    `## Where\n\n${machineOf(document.environment)}`,
    `## Repeat it\n\n    ${document.command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
