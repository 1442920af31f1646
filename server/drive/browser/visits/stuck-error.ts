import type { Stuck } from '../../../../shared/scenario/stuck.ts';

/** A journey that came to a stop at one of its actions. */
export class StuckError extends Error {
  readonly stuck: Stuck;

  constructor(stuck: Stuck) {
    super(stuck.sentence.replace(/\.$/, ''));
    this.stuck = stuck;
  }
}
