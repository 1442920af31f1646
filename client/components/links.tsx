import { Button } from '@mantine/core';
import type { InfiniteQueryObserverResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Look } from '../format/looks.ts';
import { printCount } from '../format/printed-figures.ts';
import { ActionButton, ButtonRow } from './action-button.tsx';
import { LookBadge, useScopedId } from './card.tsx';
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

type Props = {
  count: number;
  /** Noun for a selected line, such as `result`. */
  what: string;
  /** Reasons why an action is not possible with the selected lines. */
  hints: readonly string[];
  onClear: () => void;
  children: ReactNode;
};

/** Actions for the selected lines of a list. It stays in view while the list scrolls. */
export function SelectionBar({ count, what, hints, onClear, children }: Props) {
  return (
    <section aria-label={`Selected ${what}s`} className={classes.bar}>
      <div className={classes.words}>
        <p role="status">
          <strong>{printCount(count, what)} selected</strong>
        </p>
        {hints.map((hint) => (
          <p key={hint} className="soft">
            {hint}
          </p>
        ))}
      </div>
      <ButtonRow>
        {children}
        <Button variant="default" onClick={onClear}>
          Clear selection
        </Button>
      </ButtonRow>
    </section>
  );
}

type EndProps = {
  list: Pick<InfiniteQueryObserverResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  children: ReactNode;
};

/** Below a list that is loaded page by page. */
export function ListEnd({ list, children }: EndProps) {
  return (
    <div className={classes.end}>
      {list.hasNextPage ? (
        <ActionButton
          variant="default"
          pending={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Show older
        </ActionButton>
      ) : null}
      {children}
    </div>
  );
}

type LinkProps = { to: string; id?: string; className?: string | undefined; children: ReactNode };

/** A link to another screen; its words alone where no server is. */
export function AppLink({ to, id, className, children }: LinkProps) {
  const own = useScopedId(id ?? '');
  if (served) {
    return (
      <Link to={to} id={id} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <span id={id === undefined ? id : own} className={className}>
      {children}
    </span>
  );
}

/** A way to another screen that weighs as much as a button. */
export function LinkButton({
  to,
  variant = 'default',
  children,
}: {
  to: string;
  variant?: 'default' | 'filled';
  children: ReactNode;
}) {
  return (
    <Button component={Link} to={to} variant={variant}>
      {children}
    </Button>
  );
}

/** An empty list, with the button that fills it. */
export function FirstRun({ children }: { children: ReactNode }) {
  return (
    <div className="stack">
      <p>{children}</p>
      <ButtonRow>
        <LinkButton to="/" variant="filled">
          Measure
        </LinkButton>
        <LinkButton to="/examples">See examples</LinkButton>
      </ButtonRow>
    </div>
  );
}

/** A part of the view that lives in the address: what is chosen, and how to choose; the usual choice is left out of it. */
export function useAddress<Value extends string>(
  key: string,
  choices: readonly Value[],
  usual: Value,
): [Value, (value: Value) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = choices.find((choice) => choice === query.get(key)) ?? usual;
  return [
    chosen,
    (value) => {
      const next = new URLSearchParams(query);
      if (value === usual) next.delete(key);
      else next.set(key, value);
      setQuery(next, { replace: true, preventScrollReset: true });
    },
  ];
}

/** Each leads to what else has it. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  return (
    <span className={classes.tags}>
      {tags.map((tag) =>
        served ? (
          <Link key={tag} to={`/runs?${new URLSearchParams({ tag })}`} className={classes.tag} dir="auto">
            {tag}
          </Link>
        ) : (
          <span key={tag} className={classes.tag} dir="auto">
            {tag}
          </span>
        ),
      )}
    </span>
  );
}

/** Whether a server is behind the page. In a file that holds one result there is none: nothing can be loaded, started or linked. */
export const served = import.meta.env.MODE !== 'file';
