import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { printNumber } from '../../../shared/base/quantity.ts';
import { linkInShort, measuredLinkSchema } from '../../../shared/kinds/comparison/link.ts';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import {
  connectionTitles,
  type DistanceDocument,
  type DistancePlace,
  type DistanceRow,
  distanceDocumentSchema,
  distanceHeadline,
  distance as shapes,
} from '../../../shared/kinds/distance/distance.ts';
import { distanceFinding } from '../../../shared/report/distance-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten, type Table } from '../../base/text/terminal.ts';
import { defineKind } from '../define-kind.ts';
import { DistanceNotes, planDistance } from './distance-notes.ts';

/** Cost of a new connection at a distance, in round trips and in ms. */
export const distance = defineKind(shapes, {
  noun: 'a distance measurement',
  caption: 'New connections at a distance',
  page: 'l',
  title: ({ links }) => `New connections over ${links.map(linkWord).join(', ')}`,
  async prepare(request) {
    const seed = request.seed ?? randomInt(2 ** 31);
    planDistance(request, seed);
    return { facts: { seed, ...new DistanceNotes(request).summarise(), rows: [] } };
  },
  conduct: async (task, watch) => (await import('./conduct-distance.ts')).conductDistance(task, watch),
  documentOf: (head, { facts }) => ({ ...head, ...facts }),
  rows: distanceRows,
  report: (document) => reportOf(document, distanceFinding(document)),
  headline: distanceHeadline,
  compared: {
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
  },
});

function figureOf({ connection }: DistanceRow, { overTcpMs }: DistancePlace, link: string, place: string) {
  return {
    id: `${connection}/${link}`,
    name: `${connectionTitles[connection]}: ${place}`,
    estimate: overTcpMs,
  };
}

const { element: rowSchema } = distanceDocumentSchema.shape.rows;
const placeSchema = rowSchema.shape.places.element.extend({ link: measuredLinkSchema.optional() });
const placeRows = flatten(z.object({ rows: z.array(rowSchema.extend({ places: z.array(placeSchema) })) }));

/** A row for each kind of connection on each link, beside what it takes here. */
function distanceRows({ id, links, rows }: DistanceDocument): Table {
  const linked = rows.map(({ places, ...row }) => ({
    ...row,
    places: places.map((place, index) => ({ ...place, link: links[index] })),
  }));
  return placeRows({ id, rows: linked });
}
