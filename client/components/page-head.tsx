import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import classes from './page-head.module.css';

type Props = {
  /** Of the browser's tab, without the product's name. */
  tab: string;
  title: ReactNode;
  children?: ReactNode;
  above?: ReactNode;
  testId?: string;
  /** The page came in place of another one that may have held the keyboard's focus. A navigation is noticed by itself. */
  takeFocus?: boolean;
};

export function PageHead({ tab, title, children, above, testId, takeFocus = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const arrived = useRef(takeFocus || key !== 'default');
  useEffect(() => {
    document.title = `${tab} · TLS Toll`;
  }, [tab]);
  useEffect(() => {
    if (arrived.current) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classes.head}>
      {above}
      <h1 ref={heading} tabIndex={-1} data-testid={testId}>
        {title}
      </h1>
      {children}
    </div>
  );
}
