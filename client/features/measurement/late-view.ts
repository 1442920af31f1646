import { use } from 'react';

/** What a kind brings to the page of a measurement, and loads when the first of its kind is shown. */
export type LateView<View> = {
  /** Loads the code; at once where it is there already. */
  open(): Promise<View>;
  /** Null until it is there. */
  current: View | null;
};

export function lateView<View>(load: () => Promise<View>): LateView<View> {
  let loading: Promise<View> | null = null;
  const late: LateView<View> = {
    current: null,
    open() {
      loading ??= load().then(
        (view) => {
          late.current = view;
          return view;
        },
        (error: unknown) => {
          // The next visit tries again.
          loading = null;
          throw error;
        },
      );
      return loading;
    },
  };
  return late;
}

/** Opened ahead, a view renders at once; otherwise the page suspends until it is there. */
export function useLateView<View>(late: LateView<View>): View {
  return late.current ?? use(late.open());
}
