import { Link } from 'react-router';
import { Badge } from './badge.tsx';
import type { IconName } from './icon.tsx';
import classes from './link-list.module.css';
import type { Tone } from './notice.tsx';

export type LinkLine = {
  href: string;
  title: string;
  detail: string;
  look: { word: string; tone: Tone; icon: IconName };
};

export function LinkList({ label, lines }: { label: string; lines: readonly LinkLine[] }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {lines.map(({ href, title, detail, look }) => (
        <li key={href}>
          <div className={classes.text}>
            <Link to={href}>{title}</Link>
            <p>{detail}</p>
          </div>
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
