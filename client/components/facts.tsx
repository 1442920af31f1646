import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = {
  name: string;
  value: ReactNode;
  /** Too long for a printed report. */
  screenOnly?: true;
};

/** Names and values, one pair a line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, screenOnly }) => (
        <div key={name} data-screen-only={screenOnly}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
