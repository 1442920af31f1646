import { problemAt } from '../../../../shared/base/problem.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';

/** Throws invalid_request for a plan that asks more of a target on another host than somebody has allowed. */
export function demandWithin(plan: Plan, steps: number): void {
  const { permit, ratePerS, longestS } = plan;
  if (permit === undefined) return;
  const users = plan.users ?? usualUsers;
  const { host, caps } = permit;
  const all = plan.arms.length * users;
  if (all > caps.connections) {
    throw problemAt(
      'invalid_request',
      'users',
      `${users} users on each side and on the twin make ${all} connections, but ${host} is allowed ${caps.connections}. Use fewer users, or raise the limit at /targets.`,
    );
  }
  if (ratePerS !== null && ratePerS * steps > caps.requestsPerS) {
    throw problemAt(
      'invalid_request',
      'ratePerS',
      `${printNumber(ratePerS * steps, 0)} requests per second were asked for, but ${host} is allowed ${caps.requestsPerS}. Lower the rate, or raise the limit at /targets.`,
    );
  }
  if (longestS > caps.minutes * 60) {
    throw problemAt(
      'invalid_request',
      'length',
      `The run may take ${Math.ceil(longestS / 60)} minutes, but ${host} is allowed ${caps.minutes}. Choose a shorter plan, or raise the limit at /targets.`,
    );
  }
}
