import type { ReactNode } from 'react';
import { useScopedId } from './id-scope.ts';
import classes from './page.module.css';

type Props = {
  id: string;
  title: string;
  /** Stands beside the title, folded or not. */
  lead?: ReactNode;
  open?: boolean;
  /** Part of a printed report also while it is folded. */
  printed?: boolean;
  /** For what is only made once it is unfolded. */
  onOpen?: () => void;
  children: ReactNode;
};

/** A section that is folded away until it is asked for: by its heading, or by a link to it. Folded, it is left out in print. */
export function Fold({ id, title, lead, open = false, printed = false, onOpen, children }: Props) {
  const own = useScopedId(id);
  return (
    <section id={own} aria-labelledby={`${own}-title`}>
      <details
        className={classes.fold}
        data-fold
        data-printed={printed}
        open={open}
        onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
      >
        <summary className={classes.summary}>
          <h2 id={`${own}-title`}>{title}</h2>
          {lead == null ? null : <span className={classes.foldLead}>{lead}</span>}
        </summary>
        <div className={classes.body}>{children}</div>
      </details>
    </section>
  );
}
