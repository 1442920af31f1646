import type { ReactNode } from 'react';
import classes from './badge.module.css';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './notice.tsx';

export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon === undefined ? null : <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}
