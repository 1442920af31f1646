import type { LabSummary } from '../../shared/lab-summary.ts';
import { type Look, lookOfState } from './outcome.ts';
import { printAgo } from './when.ts';

/** A measurement of the lab as one entry of a list. */
export function describeLab(
  { id, title, state, createdAt, problem, queuePosition }: LabSummary,
  nowMs: number,
): { href: string; title: string; detail: string; look: Look } {
  const how = problem?.title ?? (queuePosition === null ? '' : `number ${queuePosition} in the queue`);
  return {
    href: `/l/${id}`,
    title,
    detail: [printAgo(createdAt, nowMs), how].filter((part) => part !== '').join(' · '),
    look: lookOfState(state),
  };
}
