import type { Arm } from '../../../shared/base/transport.ts';
import type { PassKind, VisitsFacts, VisitsRequest } from '../../../shared/kinds/visits/visits.ts';
import type { VisitingEvent } from '../../../shared/kinds/visits/visits-progress.ts';
import type { Film } from '../../../shared/kinds/visits/waterfall.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { fillIn } from '../../drive/browser/replay/fill-in.ts';
import type { Visitors } from '../../drive/browser/visits/open-visitors.ts';
import { StuckError } from '../../drive/browser/visits/stuck-error.ts';
import type { ArmVisit } from '../../drive/browser/visits/visit-arm.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { searchJourney } from '../../targets/storefront/search-journey.ts';
import type { AnyEvent } from '../told-event.ts';

type Party = {
  listeners: Record<Arm, Listener>;
  visitors: Visitors;
  secrets: SecretValues;
  tell: (event: AnyEvent) => void;
  note: (more: Partial<VisitsFacts>) => Promise<void>;
};

export type MakeVisit = (arm: Arm) => Promise<ArmVisit>;

type Guide = {
  visit: MakeVisit;
  /** Both sides once more, with pictures. A result without pictures is still one: then the facts say why. */
  film(advance: () => void, signal: AbortSignal): Promise<Pick<VisitsFacts, 'film' | 'unfilmed'>>;
};

const tellEveryMs = 1000;

/** Does the journey of a request on an arm, and tells what the browser does. */
export function guideOf(request: VisitsRequest, { listeners, visitors, secrets, tell, note }: Party): Guide {
  const journey = request.journey?.actions ?? searchJourney;
  const actionsAt = (origin: string) =>
    moveActions(journey, origin).actions.map((action) => fillIn(action, secrets));
  let toldAtMs = 0;
  const onAction = (arm: Arm) => (pass: PassKind, action: number) => {
    if (action > 1 && performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    const now: VisitingEvent = { type: 'visiting', arm, pass, action, actions: journey.length };
    tell(now);
  };
  return {
    async visit(arm) {
      try {
        const options = { secrets: Object.values(secrets), onAction: onAction(arm) };
        return await visitors.visit(listeners[arm], actionsAt, options);
      } catch (error) {
        if (error instanceof StuckError) await note({ stuck: error.stuck });
        throw error;
      }
    },
    async film(advance, signal) {
      if (Object.keys(secrets).length > 0) {
        return { unfilmed: 'The journey types secrets, so it was not filmed.' };
      }
      const filmOf = async (arm: Arm): Promise<Film> => {
        const tellCold = onAction(arm);
        const film = await visitors.film(listeners[arm], actionsAt, (action) => tellCold('cold', action));
        advance();
        return film;
      };
      try {
        return { film: { baseline: await filmOf('baseline'), comparison: await filmOf('comparison') } };
      } catch (error) {
        signal.throwIfAborted();
        return { unfilmed: `The filmed visits failed: ${reasonOf(error)}.` };
      }
    },
  };
}

/** Playwright puts its call log below the first line. */
export function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/^\w+\.\w+: /, '').replace(/\.$/, '');
}
