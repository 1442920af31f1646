import type { ReactNode } from 'react';
import { printWhen } from '../format/when.ts';
import classes from './page.module.css';
import { Term } from './term.tsx';

type Props = {
  /** What was measured, and over what. */
  items: readonly ReactNode[];
  createdAt: number;
  /** Null where nothing was measured. */
  quality: { quality: 'clean' | 'noisy'; reasons: readonly string[] } | null;
  /** What is said of one without a reason. */
  clean: string;
};

/** What was measured, over what, when, and how clean it was. */
export function SettingLine({ items, createdAt, quality, clean }: Props) {
  return (
    <ul className={classes.setting}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name but their place
        <li key={index}>{item}</li>
      ))}
      <li>
        <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </li>
      {quality === null ? null : (
        <li className={classes.quality} data-quality={quality.quality} data-testid="quality">
          <Term
            meaning={(quality.reasons.length === 0 ? [clean] : quality.reasons).map((reason) => (
              <span key={reason} className={classes.reason}>
                {reason}
              </span>
            ))}
          >
            {quality.quality}
          </Term>
        </li>
      )}
    </ul>
  );
}
