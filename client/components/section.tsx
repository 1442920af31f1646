import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { useScopedId } from './id-scope.ts';
import classes from './page.module.css';

type Props = {
  id: string;
  title: string;
  lead?: ReactNode;
  /** Puts all of it on one card; `flush` for a table that reaches its edges, `stack` for several things. */
  card?: boolean | 'flush' | 'stack';
  children: ReactNode;
};

export function Section({ id, title, lead, card = false, children }: Props) {
  const own = useScopedId(id);
  return (
    <section id={own} aria-labelledby={`${own}-title`} className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id={`${own}-title`}>{title}</h2>
        {lead == null ? null : <p className={classes.sectionLead}>{lead}</p>}
      </div>
      {card === false ? (
        children
      ) : (
        <Card flush={card === 'flush'} stack={card === 'stack'}>
          {children}
        </Card>
      )}
    </section>
  );
}
