import type { InfiniteQueryObserverResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import classes from './page.module.css';

type Props = {
  list: Pick<InfiniteQueryObserverResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  children: ReactNode;
};

/** Below a list that is loaded page by page. */
export function ListEnd({ list, children }: Props) {
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
