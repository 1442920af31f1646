import { Button, type ButtonProps, Loader } from '@mantine/core';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { isLoopback } from '../../shared/base/addresses.ts';
import { keepUnits } from '../format/printed-figures.ts';
import classes from './form.module.css';
import headClasses from './page.module.css';
import waitingClasses from './page.module.css';

type Props = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & {
    /** True while the action it started is under way. */
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

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="row">{children}</div>;
}

type HeadProps = {
  /** Title of the browser tab, without the product's name. */
  tab: string;
  title: ReactNode;
  /** Title as it is read out, where it has controls in it. */
  label?: string;
  children?: ReactNode;
  above?: ReactNode;
  testId?: string;
  /** Key of the figures in the title. */
  of?: string | undefined;
  /** The page replaces another one that may have held the focus. After a navigation the heading takes it from `main`. */
  takeFocus?: boolean;
};

/** Content beside the headline of the page below, such as how to share it. */
export const BesideHeadline = createContext<ReactNode>(null);

export function PageHead({ tab, title, label, children, above, testId, of, takeFocus = false }: HeadProps) {
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
        <h1 ref={heading} tabIndex={-1} aria-label={label} data-testid={testId} data-q-of={of}>
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

type CopyButtonProps = { text: string; children: string; onCopied?: () => void };

export function CopyButton({ text, children, onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = window.setTimeout(() => setState('idle'), 2500);
    return () => window.clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      onCopied?.();
    } catch {
      setState('refused');
    }
  }
  const words = { idle: children, copied: 'Copied', refused: 'Blocked: copy it manually' };
  return (
    <Button variant="default" size="sm" onClick={copy}>
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}

/** A link with the state of the page, and a word where nobody else can open it. */
export function CopyLink({ link }: { link: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <>
      <CopyButton text={link} onCopied={() => setCopied(true)}>
        Copy link
      </CopyButton>
      {copied && isLoopback(location.hostname) ? (
        <p role="status" className={classes.onlyHere}>
          This link opens on this machine only. Elsewhere, send the page or the report.
        </p>
      ) : null}
    </>
  );
}

export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <code>{command}</code>
      <CopyButton text={command}>Copy command</CopyButton>
    </div>
  );
}
