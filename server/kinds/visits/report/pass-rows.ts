import { pairOf, transportOf } from '../../../../shared/base/transport.ts';
import type { Pass, VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { passKinds } from '../../../../shared/kinds/visits/visits.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row a pass of a visit; those of dropped blocks as well, with the reason. */
export function passRows({ id, sides, blocks }: VisitsDocument): Table {
  const rows = blocks.flatMap(({ visits, dropped }, block) =>
    visits.flatMap(({ arm, ...passes }, visit) =>
      passKinds.map((pass) => [
        id,
        block,
        visit,
        arm,
        transportOf(arm, pairOf(sides)),
        pass,
        ...figures.map((name) => passes[pass][name]),
        dropped,
      ]),
    ),
  );
  return [
    ['lab_id', 'block', 'visit', 'arm', 'transport', 'pass', ...columns, 'dropped'],
    ...(rows as Cell[][]),
  ];
}

const figures: (keyof Pass)[] = [
  'ttfbUs',
  'fcpUs',
  'lcpUs',
  'loadUs',
  'documents',
  'requests',
  'bytes',
  'cacheHits',
];
const columns = ['ttfb_us', 'fcp_us', 'lcp_us', 'load_us', 'documents', 'requests', 'bytes', 'cache_hits'];
