import { type ComponentType, lazy, useState } from 'react';

/** A page whose code loads when it is first needed. */
export type LatePage = {
  /** Loads the code ahead. */
  open: () => Promise<void>;
  /** The component to mount now. */
  current: () => ComponentType;
};

/**
 * Opened ahead, a late page renders at once: `lazy` alone would first show its placeholder, which React then keeps for 300 ms
 * however soon the code is there.
 */
export function latePage(load: () => Promise<{ default: ComponentType }>): LatePage {
  let component: ComponentType = lazy(load);
  return {
    open: async () => {
      component = (await load()).default;
    },
    current: () => component,
  };
}

export function Late({ page }: { page: LatePage }) {
  // Kept for as long as the page is mounted: changing over in between would throw its state away.
  const [Shown] = useState(() => page.current());
  return <Shown />;
}
