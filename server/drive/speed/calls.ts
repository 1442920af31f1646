import type { SpeedOperation } from '../../../shared/kinds/speed/speed.ts';

/** A call as a program would make it: whatever has to be made anew for each is made anew. */
export type Call = () => unknown;

export type Calls = {
  of: Partial<Record<SpeedOperation, Call>>;
  /** A call of `verify` that ends before the primitive begins. */
  empty?: Call;
};
