import type { ReactNode } from 'react';
import classes from './form.module.css';

export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.fieldRow}>{children}</div>;
}
