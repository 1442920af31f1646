import { describeLink, linkInShort } from '../../../../shared/kinds/comparison/link.ts';
import { connectionTitles, type DistanceDocument } from '../../../../shared/kinds/distance/distance.ts';
import {
  distanceSentences,
  printMsEstimate,
  printTrips,
} from '../../../../shared/kinds/distance/distance-sentence.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import { figures, list, type Report, table, text, texts } from '../../../base/text/report/report.ts';

/** The distances: a row a connection, milliseconds to the first byte on each link. */
export function reportDistance(document: DistanceDocument): Report {
  const { plan, links, rows } = document;
  const [title = 'What a new connection costs at a distance', ...others] = distanceSentences(document);
  const measured = rows.filter(({ reason }) => reason === null);
  const columns = [
    ...texts('Connection'),
    ...figures('No link', ...links.map(linkInShort), 'Round trips', 'Measured'),
  ];
  const cells = measured.map(({ connection, here, places, expected, slope }) => [
    connectionTitles[connection],
    ...[here, ...places].map(({ ms }) => (ms === null ? null : printMsEstimate(ms))),
    expected === null ? null : String(expected),
    slope === null ? null : printTrips(slope),
  ]);
  const missing = rows.flatMap(({ connection, reason }) =>
    reason === null ? [] : [`${connectionTitles[connection]}: ${reason}`],
  );
  return reportOf(document, {
    title,
    lead: [text(...others)],
    measured: `${plan.rounds} of ${plan.roundsPlanned} rounds of ${plan.connections} connections in random order.`,
    about: [
      'Times are from the beginning of a connection to the first byte of the answer: the median of the rounds, with 95 % CI.',
      'Round trips are expected from the flights of the handshake, and measured as the slope over all links.',
    ],
    sections: [
      { heading: 'Milliseconds to the first byte', parts: [table(columns, cells)] },
      { heading: 'Not measured', parts: [list(missing)] },
      { heading: 'Links', parts: [list(links.map(describeLink))] },
    ],
  });
}
