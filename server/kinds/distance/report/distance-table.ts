import { describeLink, linkInShort } from '../../../../shared/kinds/comparison/link.ts';
import { connectionTitles, type DistanceFacts } from '../../../../shared/kinds/distance/distance.ts';
import {
  distanceSentences,
  printMsEstimate,
  printTrips,
} from '../../../../shared/kinds/distance/distance-sentence.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';

type Figures = Omit<DistanceFacts, 'seed'>;

/** The distances for a terminal: a row a connection, milliseconds to the first byte on each link. */
export function printDistanceTable({ links, rows, plan, warnings }: Figures): string {
  const measured = rows.filter(({ reason }) => reason === null);
  const lines = [...distanceSentences({ links, rows }), ''];
  if (measured.length > 0) lines.push(...alignColumns(distanceTable({ links, rows: measured }), 'lr'), '');
  lines.push(
    `ms from the beginning of a connection to the first byte of the answer, with 95 % CI, median of ${plan.rounds} rounds of ${plan.connections} connections. Round trips: expected from the flights, and measured as the slope over all links.`,
    ...links.map(describeLink),
    ...warnings,
    ...rows.flatMap(({ connection, reason }) =>
      reason === null ? [] : [`${connectionTitles[connection]}: not measured: ${reason}`],
    ),
  );
  return textOf(lines);
}

/** Header and rows, for the terminal and for Markdown. */
export function distanceTable({ links, rows }: Pick<Figures, 'links' | 'rows'>): string[][] {
  const header = ['', 'no link', ...links.map(linkInShort), 'round trips', 'measured'];
  return [
    header,
    ...rows.map(({ connection, here, places, expected, slope }) => [
      connectionTitles[connection],
      ...[here, ...places].map(({ ms }) => (ms === null ? '–' : printMsEstimate(ms))),
      expected === null ? '–' : String(expected),
      slope === null ? '–' : printTrips(slope),
    ]),
  ];
}
