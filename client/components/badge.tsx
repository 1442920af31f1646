import type { ReactNode } from 'react';
import type { IconName } from '../format/icon-paths.ts';
import type { Look, Tone } from '../format/outcome.ts';
import { Icon } from './card.tsx';
import classes from './page.module.css';

export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon === undefined ? null : <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

type LookProps = { look: Look; children?: ReactNode };

/** Of an outcome or a state; children stand in place of its word. */
export function LookBadge({ look: { tone, icon, word }, children = word }: LookProps) {
  return (
    <Badge tone={tone} icon={icon}>
      {children}
    </Badge>
  );
}
