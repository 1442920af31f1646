import { measurementProblems } from './problems/measurement-problems.ts';
import { requestProblems } from './problems/request-problems.ts';
import { scenarioProblems } from './problems/scenario-problems.ts';
import { serverProblems } from './problems/server-problems.ts';
import { targetProblems } from './problems/target-problems.ts';
import { teamProblems } from './problems/team-problems.ts';
import { toolProblems } from './problems/tool-problems.ts';

/** Everything that can go wrong for a user, without the schemas of what is sent of it. */

export const problemCatalogue = {
  ...requestProblems,
  ...teamProblems,
  ...measurementProblems,
  ...scenarioProblems,
  ...targetProblems,
  ...toolProblems,
  ...serverProblems,
};

export type ProblemCode = keyof typeof problemCatalogue;
