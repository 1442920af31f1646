import type { ReactNode } from 'react';
import classes from './fold.module.css';

type Props = {
  id: string;
  title: string;
  /** Stands beside the title, folded or not. */
  lead?: ReactNode;
  /** Unfolded from the start. */
  open?: boolean;
  children: ReactNode;
};

/** A section that is folded away until it is asked for: by its heading, by a link to it, or by a printer. */
export function Fold({ id, title, lead, open = false, children }: Props) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <details className={classes.fold} data-fold open={open}>
        <summary className={classes.summary}>
          <h2 id={`${id}-title`}>{title}</h2>
          {lead == null ? null : <span className={classes.lead}>{lead}</span>}
        </summary>
        <div className={classes.body}>{children}</div>
      </details>
    </section>
  );
}
