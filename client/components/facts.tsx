import type { ReactNode } from 'react';
import classes from './page.module.css';

export type Fact = {
  name: string;
  /** Null leaves the line out. */
  value: ReactNode;
  /** Too long for a printed report. */
  screenOnly?: boolean;
};

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, screenOnly }) =>
        value == null ? null : (
          <div key={name} data-screen-only={screenOnly || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
