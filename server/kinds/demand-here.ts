import { problem } from '../../shared/base/problem.ts';
import type { Listener } from '../../shared/target/target.ts';
import { demandPermitted } from '../targets/open/open-target.ts';
import type { AskedTarget } from '../targets/preflight/target-parts.ts';

/**
 * Refuses a target on another host for what cannot keep to the limits of one. Throws target_not_permitted.
 * @param what as the beginning of a sentence, such as `A sweep over sizes`
 */
export async function demandHere(
  asked: AskedTarget<string>,
  house: Parameters<typeof demandPermitted>[1],
  what: string,
): Promise<void> {
  const permit = await demandPermitted(asked, house);
  if (permit === null) return;
  throw problem('target_not_permitted', {
    detail: `${what} cannot keep to the limits of another host such as ${permit.host}. Start a run instead.`,
    errors: [{ field: 'target.http', message: `${what} measures targets of this machine only.` }],
  });
}

/**
 * The same once the target is open: a name may lead elsewhere by then, or what answered here before may have gone. Throws
 * target_not_permitted.
 */
export function demandStillHere(listeners: Record<string, Listener>): void {
  const gone = Object.values(listeners).find(({ permit }) => permit !== undefined);
  if (gone === undefined) return;
  throw problem(
    'target_not_permitted',
    `${gone.hostname} was this machine when the run was asked for, and leads to ${gone.address} now.`,
  );
}
