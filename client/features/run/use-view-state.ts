import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parseViewState, printViewState, type ViewState } from '../../../shared/measurement/view-state.ts';

/** What the address remembers of the view. Every change is an entry of the history, so Back undoes it. */
export function useViewState(): [ViewState, (change: Partial<ViewState>) => void] {
  const { search, hash, pathname } = useLocation();
  const navigate = useNavigate();
  const view = useMemo(() => parseViewState(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (part: Partial<ViewState>) => {
      const query = printViewState({ ...view, ...part }).toString();
      void navigate({ pathname, search: query, hash });
    },
    [view, navigate, pathname, hash],
  );
  return [view, change];
}
