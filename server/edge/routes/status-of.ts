import { ProblemError } from '../../../shared/base/problem.ts';

/** For a page, which explains by itself why there is nothing; the status says the same to everyone else. */
export async function statusOf(looking: Promise<unknown>): Promise<number> {
  try {
    await looking;
    return 200;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.status;
    throw error;
  }
}
