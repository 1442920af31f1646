import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Look } from '../format/outcome.ts';
import { LookBadge } from './badge.tsx';
import classes from './page.module.css';

export type LinkLine = {
  href: string;
  title: string;
  detail: string;
  look: Look;
};

export function LinkList({ label, lines }: { label: string; lines: readonly LinkLine[] }) {
  return (
    <ul className={classes.linkList} aria-label={label}>
      {lines.map((line) => (
        <LinkItem key={line.href} line={line} />
      ))}
    </ul>
  );
}

/** The same with lines that hold more than a link. */
export function LinkRows({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  return (
    <ul className={classes.linkList} aria-labelledby={labelledBy}>
      {children}
    </ul>
  );
}

type ItemProps = {
  line: LinkLine;
  /** In front of the line. */
  before?: ReactNode;
  /** In place of its title. */
  instead?: ReactNode;
  /** Beside its title. */
  beside?: ReactNode;
  /** Below its text. */
  below?: ReactNode;
};

/** The whole line leads where its title does, but for what can be pressed in it. */
export function LinkItem({ line: { href, title, detail, look }, before, instead, beside, below }: ItemProps) {
  return (
    <li>
      {before === undefined ? null : <div className={classes.above}>{before}</div>}
      <div className={classes.linkListText}>
        {instead === undefined ? (
          <div className={classes.linkListHead}>
            <Link className={classes.title} to={href} dir="auto">
              {title}
            </Link>
            {beside === undefined ? null : <span className={classes.above}>{beside}</span>}
          </div>
        ) : (
          <div className={classes.above}>{instead}</div>
        )}
        <p dir="auto">{detail}</p>
        {below === undefined ? null : <div className={`${classes.above} ${classes.below}`}>{below}</div>}
      </div>
      <LookBadge look={look} />
    </li>
  );
}
