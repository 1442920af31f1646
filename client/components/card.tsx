import type { ReactNode } from 'react';
import classes from './card.module.css';

export function Card({ children, flush = false }: { children: ReactNode; flush?: boolean }) {
  return <div className={flush ? classes.flush : classes.card}>{children}</div>;
}
