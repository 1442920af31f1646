import { createContext, type ReactNode, use } from 'react';
import { type IconName, iconPaths, type Look, type Tone } from '../format/looks.ts';
import classes from './page.module.css';

type Props = {
  id: string;
  title: string;
  lead?: ReactNode;
  /** Puts all of it on one card; `flush` for a table that reaches its edges, `stack` for several things. */
  card?: boolean | 'flush' | 'stack';
  children: ReactNode;
};

export function Section({ id, title, lead, card = false, children }: Props) {
  const own = useScopedId(id);
  return (
    <section id={own} aria-labelledby={`${own}-title`} className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id={`${own}-title`}>{title}</h2>
        {lead == null ? null : <p className={classes.sectionLead}>{lead}</p>}
      </div>
      {card === false ? (
        children
      ) : (
        <Card flush={card === 'flush'} stack={card === 'stack'}>
          {children}
        </Card>
      )}
    </section>
  );
}

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

type CardProps = {
  children: ReactNode;
  /** For a table that reaches the edges. */
  flush?: boolean;
  /** For several things below each other. */
  stack?: boolean;
};

export function Card({ children, flush = false, stack = false }: CardProps) {
  return (
    <div className={flush ? classes.flush : classes.card} data-stack={stack || undefined}>
      {children}
    </div>
  );
}

/**
 * Prefix of the ids of one result on a page that shows several. Without it, the ids of sections and of their choices would collide. Empty
 * on every other page.
 */
export const IdScope = createContext('');

export function useScopedId(id: string): string {
  return use(IdScope) + id;
}

type NoticeTone = Exclude<Tone, 'less'>;

type NoticeProps = { tone: NoticeTone; title?: string; children: ReactNode; announce?: 'status' | 'alert' };

const icons: Record<NoticeTone, IconName> = {
  good: 'check',
  warn: 'exclamation',
  bad: 'cross',
  note: 'info',
  quiet: 'info',
};

/** A fact that the reader must not miss, and what to do about it. */
export function Notice({ tone, title, children, announce }: NoticeProps) {
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

/** Drawn beside words, never instead of them. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={iconPaths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Original words of the system or of a library, folded below a sentence; nothing without them. */
export function OriginalWords({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <details>
      <summary>Details</summary>
      <code>{children}</code>
    </details>
  );
}

export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon === undefined ? null : <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

type LookProps = { look: Look; children?: ReactNode };

/** Badge of an outcome or a state; children replace its word. */
export function LookBadge({ look: { tone, icon, word }, children = word }: LookProps) {
  return (
    <Badge tone={tone} icon={icon}>
      {children}
    </Badge>
  );
}

type ListProps = {
  label: string;
  ordered?: boolean;
  /** Whether their paragraphs are facts below a link, in small print. */
  facts?: boolean;
  /** An `li` for each card. */
  children: ReactNode;
};

/** Cards beside each other, as many as there is room for. */
export function CardList({ label, ordered = false, facts = false, children }: ListProps) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List
      className={facts ? `${classes.cardList} ${classes.cardListFacts}` : classes.cardList}
      aria-label={label}
    >
      {children}
    </List>
  );
}
