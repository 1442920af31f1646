import type { ReactNode } from 'react';
import classes from './field-row.module.css';

export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}
