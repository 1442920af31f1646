import { printNumber } from '../../../shared/base/quantity.ts';
import { linkInShort } from '../../../shared/kinds/comparison/link.ts';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import {
  connectionTitles,
  type DistanceDocument,
  type DistancePlace,
  type DistanceRow,
} from '../../../shared/kinds/distance/distance.ts';
import type { Figure, FigureComparison } from '../compare-figures.ts';

/** Two measurements of distances are compared by what TLS adds to TCP over the links that both have. */
export const distanceChanges: FigureComparison<DistanceDocument> = {
  kind: 'distance',
  figure: 'ms',
  lead: 'Time to the first byte of a new connection that TLS adds to TCP on the same link.',
  figuresOf: ({ links, rows }) =>
    rows
      .filter(({ connection }) => connection !== 'tcp')
      .flatMap((row) => [
        figureOf(row, row.here, 'none', 'no link'),
        ...links.flatMap((link, index) => {
          const place = row.places[index];
          return place === undefined ? [] : [figureOf(row, place, linkWord(link), linkInShort(link))];
        }),
      ]),
  setupOf: ({ plan, links }) => [
    { name: 'Links', value: links.map(linkWord).join(', ') },
    { name: 'Rounds', value: printNumber(plan.rounds, 0) },
  ],
};

function figureOf(
  { connection }: DistanceRow,
  { overTcpMs }: DistancePlace,
  link: string,
  place: string,
): Figure {
  return {
    id: `${connection}/${link}`,
    name: `${connectionTitles[connection]}: ${place}`,
    estimate: overTcpMs,
  };
}
