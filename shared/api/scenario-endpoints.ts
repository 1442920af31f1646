import { z } from 'zod';
import {
  revisionSchema,
  scenarioChangeSchema,
  scenarioDraftSchema,
  scenarioLineSchema,
  storedScenarioSchema,
} from '../scenario/stored-scenario.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** Scenarios that are stored. */

export const scenarioParams = z.strictObject({ id: z.string().max(40) });

export const scenarioEndpoints = {
  listScenarios: {
    method: 'get',
    path: '/scenarios',
    access: 'reader',
    summary: 'Scenarios, most recently changed first',
    response: z.array(scenarioLineSchema),
  },
  createScenario: {
    method: 'post',
    path: '/scenarios',
    access: 'operator',
    act: 'Added a scenario',
    summary: 'Store a scenario',
    body: scenarioDraftSchema,
    status: 201,
    response: storedScenarioSchema,
  },
  showScenario: {
    method: 'get',
    path: '/scenarios/:id',
    access: 'reader',
    summary: 'Latest revision of a scenario',
    params: scenarioParams,
    response: storedScenarioSchema,
  },
  changeScenario: {
    method: 'put',
    path: '/scenarios/:id',
    access: 'operator',
    act: 'Changed a scenario',
    summary: 'Store a new revision of a scenario',
    params: idParams,
    body: scenarioChangeSchema,
    response: storedScenarioSchema,
  },
  deleteScenario: {
    method: 'delete',
    path: '/scenarios/:id',
    access: 'operator',
    act: 'Deleted a scenario',
    summary: 'Delete a scenario; revisions that runs used stay available',
    params: idParams,
    response: null,
  },
  showRevision: {
    method: 'get',
    path: '/revisions/:id',
    access: 'link',
    summary: 'One revision of a scenario, as at its permalink /s/{id}',
    params: idParams,
    response: revisionSchema,
  },
} as const satisfies Record<string, Endpoint>;
