import type { ComponentType } from 'react';
import { type LateView, lateView, useLateView } from '../features/measurement/late-view.ts';

/** A page whose code loads when it is first needed. */
export type LatePage = LateView<{ default: ComponentType }>;

/**
 * Opened ahead, a late page renders at once. React's own `lazy` would first show its placeholder, which React then keeps for
 * 300 ms however soon the code is there.
 */
export const latePage: (load: () => Promise<{ default: ComponentType }>) => LatePage = lateView;

export function Late({ page }: { page: LatePage }) {
  const { default: Page } = useLateView(page);
  return <Page />;
}
