import type { ComponentProps, ReactNode } from 'react';
import { LongTable } from './long-table.tsx';
import { Section } from './section.tsx';

type Props<Row> = Omit<ComponentProps<typeof LongTable<Row>>, 'first' | 'what'> & {
  id: string;
  title: string;
  lead?: ReactNode;
  /** Left out, all rows are shown. */
  first?: number;
  what?: string;
};

/** A section that is one table. */
export function TableSection<Row>(props: Props<Row>) {
  const { id, title, lead, first = Number.POSITIVE_INFINITY, what = 'row', ...table } = props;
  return (
    <Section id={id} title={title} lead={lead} card="flush">
      <LongTable {...table} first={first} what={what} />
    </Section>
  );
}
