import type { LifeEvent } from '../../shared/measurement/measurement.ts';

/** Any event; those of its kind are in the log of a measurement as well. */
export type AnyEvent = LifeEvent | { type: string };

/** An event as those who watch get it. One without an id is sent once and not kept. */
export type ToldEvent = { id: number | null; type: string; text: string };
