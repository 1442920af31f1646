import type { ReactNode } from 'react';
import classes from './page.module.css';

type Props = {
  children: ReactNode;
  /** For a table that reaches the edges. */
  flush?: boolean;
  /** For several things below each other. */
  stack?: boolean;
};

export function Card({ children, flush = false, stack = false }: Props) {
  return (
    <div className={flush ? classes.flush : classes.card} data-stack={stack || undefined}>
      {children}
    </div>
  );
}
