import { pairOf, transportOf } from '../../../../shared/base/transport.ts';
import type { Pass, VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { passKinds } from '../../../../shared/kinds/visits/visits.ts';
import { snakeCase } from '../../../base/text/snake-case.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row a pass of a visit; those of dropped blocks as well, with the reason. */
export function passRows({ id, sides, blocks }: VisitsDocument): Table {
  const rows = blocks.flatMap(({ visits, dropped }, block) =>
    visits.flatMap(({ arm, ...passes }, visit) =>
      passKinds.map((pass): Cell[] => [
        ...[id, block, visit, arm, transportOf(arm, pairOf(sides)), pass],
        ...figures.map((name) => passes[pass][name]),
        dropped,
      ]),
    ),
  );
  return [
    ['lab_id', 'block', 'visit', 'arm', 'transport', 'pass', ...figures.map(snakeCase), 'dropped'],
    ...rows,
  ];
}

const figures: (keyof Pass)[] = [
  ...(['ttfbUs', 'fcpUs', 'lcpUs', 'loadUs'] as const),
  ...(['documents', 'requests', 'bytes', 'cacheHits'] as const),
];
