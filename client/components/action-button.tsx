import { Button, type ButtonProps, Loader } from '@mantine/core';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { keepUnits } from '../format/option-form.ts';
import classes from './form.module.css';
import dialogClasses from './page.module.css';
import headClasses from './page.module.css';
import waitingClasses from './page.module.css';

type Props = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & {
    /** What it started is still going on. */
    pending?: boolean;
    /** It cannot be pressed now. */
    blocked?: boolean;
  };

/** Looks and reads as disabled while it cannot be pressed, but keeps the focus, which a button that is disabled loses. */
export function ActionButton({ pending = false, blocked = false, onClick, children, ...button }: Props) {
  const idle = !pending && !blocked;
  return (
    <Button
      {...button}
      aria-disabled={!idle}
      aria-busy={pending}
      {...(blocked ? { 'data-disabled': true } : {})}
      onClick={(event) => {
        if (idle) onClick?.(event);
        else event.preventDefault();
      }}
    >
      <span className={classes.words} data-pending={pending}>
        {children}
      </span>
      {pending ? (
        <span className={classes.spinner} aria-hidden="true">
          <Loader size="1.25em" color="currentColor" />
        </span>
      ) : null}
    </Button>
  );
}

type DialogProps = { open: boolean; title: string; onClose: () => void; children: ReactNode };

/**
 * A question that must be answered first. The browser's own dialog keeps the focus inside, closes on Escape and gives the
 * focus back. The first button has it at the start, so the harmless answer stands first.
 */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={dialogClasses.dialog}
      aria-labelledby={titleId}
      onClose={() => {
        setShown(false);
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {shown ? children : null}
    </dialog>
  );
}

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="row">{children}</div>;
}

type HeadProps = {
  /** Of the browser's tab, without the product's name. */
  tab: string;
  title: ReactNode;
  children?: ReactNode;
  above?: ReactNode;
  testId?: string;
  /** The page replaces another one that may have held the focus. After a navigation the heading takes it from `main`. */
  takeFocus?: boolean;
};

/** What stands beside the headline of the page below, such as how to share it. */
export const BesideHeadline = createContext<ReactNode>(null);

export function PageHead({ tab, title, children, above, testId, takeFocus = false }: HeadProps) {
  const beside = useContext(BesideHeadline);
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useRef(takeFocus);
  useEffect(() => {
    document.title = `${tab} · TLS Toll`;
  }, [tab]);
  useEffect(() => {
    const onItsWay = document.activeElement?.localName === 'main';
    if (wanted.current || onItsWay) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={headClasses.pageHead}>
      {above}
      <div className={headClasses.line}>
        <h1 ref={heading} tabIndex={-1} data-testid={testId}>
          {typeof title === 'string' ? keepUnits(title) : title}
        </h1>
        {beside}
      </div>
      {children}
    </div>
  );
}

/** Says what is awaited, after a moment: an answer that comes at once should not flash. */
export function Waiting({ children }: { children: string }) {
  return (
    <p className={waitingClasses.waiting} role="status">
      {children} …
    </p>
  );
}

/** Asks before the Back or Forward button leaves a page. A link asks by itself, and the browser when the tab is closed. */

let guarded: { pathname: string; index: number; mayLeave(): boolean } | null = null;
let returning = false;

/** Until the returned function is called. */
export function guardHistory(mayLeave: () => boolean): () => void {
  guarded = { pathname: location.pathname, index: indexOf(history.state), mayLeave };
  return () => {
    guarded = null;
  };
}

/**
 * To be called before the router is mounted: a window calls its listeners in their order. The address has changed by then,
 * so a user who wants to stay is brought back, and the router sees neither.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (returning) {
      returning = false;
      event.stopImmediatePropagation();
    } else if (guarded?.pathname === location.pathname) {
      guarded.index = indexOf(event.state);
    } else if (guarded !== null && !guarded.mayLeave()) {
      event.stopImmediatePropagation();
      returning = true;
      history.go(guarded.index - indexOf(event.state) || 1);
    }
  });
}

/** The place of a page in the history, which the router keeps there; 0 where it does not. */
function indexOf(state: unknown): number {
  const index = (state as { idx?: unknown } | null)?.idx;
  return typeof index === 'number' ? index : 0;
}
