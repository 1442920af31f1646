import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { keepUnits } from '../format/keep-units.ts';
import classes from './page.module.css';

type Props = {
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

export function PageHead({ tab, title, children, above, testId, takeFocus = false }: Props) {
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
    <div className={classes.pageHead}>
      {above}
      <div className={classes.line}>
        <h1 ref={heading} tabIndex={-1} data-testid={testId}>
          {typeof title === 'string' ? keepUnits(title) : title}
        </h1>
        {beside}
      </div>
      {children}
    </div>
  );
}
