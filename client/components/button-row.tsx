import type { ReactNode } from 'react';
import classes from './button-row.module.css';

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}
