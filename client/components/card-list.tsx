import type { ReactNode } from 'react';
import classes from './page.module.css';

type Props = {
  label: string;
  ordered?: boolean;
  /** Whether their paragraphs are facts below a link, in small print. */
  facts?: boolean;
  /** An `li` for each card. */
  children: ReactNode;
};

/** Cards beside each other, as many as there is room for. */
export function CardList({ label, ordered = false, facts = false, children }: Props) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List
      className={facts ? `${classes.cardList} ${classes.cardListFacts}` : classes.cardList}
      aria-label={label}
    >
      {children}
    </List>
  );
}
