import { AnswerProblem } from './asked-process.ts';

/** What the library says against something, or null when it was done. It ends that one thing, never the measurement. */
export async function problemOf(what: () => Promise<unknown>): Promise<string | null> {
  try {
    await what();
    return null;
  } catch (error) {
    if (error instanceof AnswerProblem) return error.message;
    throw error;
  }
}
