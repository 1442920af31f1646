import type { AnyEvent } from './event-log.ts';
import type { Frame } from './kind.ts';

/** Looks on at one measurement that this process has. Nothing here may throw or take time. */
export type Observer = {
  /** It has the machine. */
  onBegin(): void;
  /** What its conductor tells. */
  onEvent(event: AnyEvent): void;
  /** Its end is stored. Whoever loses it to another process does not see one. */
  onEnd(frame: Frame<unknown>): void;
};

/** `queuedAt` in milliseconds since 1970: since when it waits, this time. */
export type Observed = { id: string; kind: string; queuedAt: number };

export type Observe = (measurement: Observed) => Observer;

export const observeNothing: Observe = () => ({ onBegin() {}, onEvent() {}, onEnd() {} });
