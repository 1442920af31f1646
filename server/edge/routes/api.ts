import { type RequestHandler, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { AppParts } from './app-parts.ts';
import { audit } from './audit.ts';
import { batches } from './batches.ts';
import { bin } from './bin.ts';
import { capacity } from './capacity.ts';
import { refuseOtherMethods } from './endpoint.ts';
import { examples } from './examples.ts';
import { explanation } from './explanation.ts';
import { measurements } from './measurements.ts';
import { providerSignIn } from './provider-sign-in.ts';
import { questions } from './questions.ts';
import { recordings } from './recordings.ts';
import { reports } from './reports.ts';
import { scenarioImport } from './scenario-import.ts';
import { scenarios } from './scenarios.ts';
import { schedules } from './schedules.ts';
import { series } from './series.ts';
import { server } from './server.ts';
import { session } from './session.ts';
import { studies } from './studies.ts';
import { targets } from './targets.ts';
import { users } from './users.ts';

/** Everything below `/api/v1`. */
export function api(parts: AppParts): Router {
  const router = Router();
  server(router, parts);
  scenarios(router, parts);
  recordings(router, parts);
  targets(router, parts);
  capacity(router, parts);
  measurements(router, parts);
  examples(router, parts);
  reports(router, parts);
  batches(router, parts);
  bin(router, parts);
  schedules(router, parts);
  explanation(router, parts);
  series(router, parts);
  questions(router, parts);
  studies(router, parts);
  session(router, parts);
  providerSignIn(router, parts);
  users(router, parts);
  audit(router, parts);
  refuseOtherMethods(router);
  return router;
}

/** What comes before bodies are taken for JSON. */
export function uploads(): Router {
  const router = Router();
  scenarioImport(router);
  return router;
}

export const unknownEndpoint: RequestHandler = (request, _response, next) => {
  next(
    problem('not_found', `The API has no ${request.baseUrl}${request.path}; /api/docs lists the endpoints.`),
  );
};
