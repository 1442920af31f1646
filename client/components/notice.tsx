import type { ReactNode } from 'react';
import type { IconName } from '../format/icon-paths.ts';
import type { Tone } from '../format/outcome.ts';
import { Icon } from './icon.tsx';
import classes from './page.module.css';

type Props = { tone: Tone; title?: string; children: ReactNode; announce?: 'status' | 'alert' };

const icons: Record<Tone, IconName> = {
  good: 'check',
  warn: 'exclamation',
  bad: 'cross',
  note: 'info',
  quiet: 'info',
};

/** A fact that the reader must not miss, and what to do about it. */
export function Notice({ tone, title, children, announce }: Props) {
  return (
    <div className={classes.notice} data-tone={tone} role={announce}>
      <Icon name={icons[tone]} />
      <div className={classes.noticeText}>
        {title === undefined ? null : <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}
