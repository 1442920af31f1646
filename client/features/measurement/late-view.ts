import { use } from 'react';

/** Code that loads when something of it is first shown: a page, or what a kind brings to the page of a measurement. */
export type LateView<View> = {
  /** Loads the code; at once where it is there already. */
  open(): Promise<View>;
  /** Null until it is there. */
  current: View | null;
  /** Promise that is loading, or failed a moment ago. React renders a page again as soon as it failed, which must not load it anew. */
  attempt: Promise<View> | null;
};

const failedForMs = 2_000;

export function lateView<View>(load: () => Promise<View>): LateView<View> {
  let loading: Promise<View> | null = null;
  const late: LateView<View> = {
    current: null,
    attempt: null,
    open() {
      loading ??= load().then(
        (view) => {
          late.current = view;
          return view;
        },
        (error: unknown) => {
          // The next visit tries again.
          loading = null;
          const { attempt } = late;
          setTimeout(() => {
            if (late.attempt === attempt) late.attempt = null;
          }, failedForMs);
          throw error;
        },
      );
      late.attempt = loading;
      return loading;
    },
  };
  return late;
}

/** Opened ahead, a view renders at once; otherwise the page suspends until it is there. */
export function useLateView<View>(late: LateView<View>): View {
  return late.current ?? use(late.attempt ?? late.open());
}
