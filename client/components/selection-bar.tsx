import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { printCount } from '../format/count.ts';
import { ButtonRow } from './button-row.tsx';
import classes from './page.module.css';

type Props = {
  count: number;
  /** What is selected, such as `result`. */
  what: string;
  /** What cannot be done with these. */
  hints: readonly string[];
  onClear: () => void;
  children: ReactNode;
};

/** Actions for the selected lines of a list. It stays in view while the list scrolls. */
export function SelectionBar({ count, what, hints, onClear, children }: Props) {
  return (
    <section aria-label={`Selected ${what}s`} className={classes.bar}>
      <div className={classes.words}>
        <p role="status">
          <strong>{printCount(count, what)} selected</strong>
        </p>
        {hints.map((hint) => (
          <p key={hint} className="soft">
            {hint}
          </p>
        ))}
      </div>
      <ButtonRow>
        {children}
        <Button variant="default" onClick={onClear}>
          Clear selection
        </Button>
      </ButtonRow>
    </section>
  );
}
