import type { ReactNode } from 'react';
import classes from './section.module.css';

type Props = { id: string; title: string; lead?: ReactNode; children: ReactNode };

export function Section({ id, title, lead, children }: Props) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={classes.section}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        {lead == null ? null : <p className={classes.lead}>{lead}</p>}
      </div>
      {children}
    </section>
  );
}
