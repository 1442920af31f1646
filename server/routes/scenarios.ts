import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function scenarios(router: Router, { control }: AppParts): void {
  serve(router, 'listScenarios', () => control.scenarios());

  serve(router, 'showScenario', ({ params: { id } }) => {
    const scenario = control.scenarios().find((candidate) => candidate.id === id);
    if (scenario === undefined) throw problem('scenario_not_found', `No scenario has the id "${id}".`);
    return scenario;
  });
}
