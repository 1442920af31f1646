import type { Exchange } from '../../shared/recording.ts';
import type { Step } from '../../shared/scenario.ts';

/** A text that was pointed at when so many requests had left: it must be there again. */
export type SeenText = { text: string; afterRequests: number };

const mostChecksOfAStep = 20;

/**
 * Adds a check to the last step before it whose response brought the text, letter by letter. Returns a sentence for each text
 * that no response has as it stands, such as one that a script put together.
 */
export function addTextChecks(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
  seen: readonly SeenText[],
): string[] {
  return seen.flatMap(({ text, afterRequests }) => {
    const index = exchanges.findLastIndex(
      ({ number, responseBody }) => number <= afterRequests && responseBody?.includes(text) === true,
    );
    const checks = steps[index]?.checks;
    if (checks === undefined || checks.length >= mostChecksOfAStep) {
      return [`“${text}” stands in no response as it was seen, so no step of the scenario checks it.`];
    }
    if (!checks.some((check) => check.type === 'body_contains' && check.text === text)) {
      checks.push({ type: 'body_contains', text });
    }
    return [];
  });
}
