import type { Figure } from '../figure.ts';
import { measureAgentBurden } from './agent-burden.ts';
import { compareAcrossLink } from './cpu-across-link.ts';
import { measureKillSwitch } from './kill-switch.ts';
import { measureLinks } from './links.ts';

/** Each brings figures of its own; one after another, as they would disturb each other. */
const parts: readonly (() => Promise<Figure[]>)[] = [
  measureKillSwitch,
  measureAgentBurden,
  measureLinks,
  compareAcrossLink,
];

/** Targets on other hosts: what reading, stopping and reaching them takes. */
export async function measureRemote(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const measure of parts) figures.push(...(await measure()));
  return figures;
}
