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

/** Of an outcome or a state. @param children in place of its word */
export function LookBadge({
  look: { tone, icon, word },
  children = word,
}: {
  look: { word: string; tone: Tone; icon: IconName };
  children?: ReactNode;
}) {
  return (
    <Badge tone={tone} icon={icon}>
      {children}
    </Badge>
  );
}
