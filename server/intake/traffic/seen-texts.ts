import type { Exchange } from '../../../shared/scenario/recording.ts';
import { responseCheckSchema, type Step } from '../../../shared/scenario/scenario.ts';
import { placeholderPattern } from './secret-names.ts';

/** A text that was pointed at when so many requests had left: it must be there again. */
export type SeenText = { text: string; afterRequests: number };

const mostChecksOfAStep = 20;

/**
 * Adds a check to the last step before it whose response brought the text, letter by letter. Returns a sentence for each text
 * that no response has as it stands, such as one that a script put together, and for each with a secret in it.
 *
 * @param clean replaces secrets
 */
export function addTextChecks(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
  seen: readonly SeenText[],
  clean: (text: string) => string,
): string[] {
  return seen.flatMap(({ text, afterRequests }) => {
    if (placeholderPattern.test(clean(text)))
      return ['A text that you selected contains a secret, so no step of the scenario checks it.'];
    const index = exchanges.findLastIndex(
      ({ number, responseBody }) => number <= afterRequests && responseBody?.includes(text) === true,
    );
    const checks = steps[index]?.checks;
    const check = responseCheckSchema.safeParse({ type: 'body_contains', text });
    if (checks === undefined || checks.length >= mostChecksOfAStep || !check.success) {
      return [`“${text}” stands in no response as it was seen, so no step of the scenario checks it.`];
    }
    if (!checks.some((known) => known.type === 'body_contains' && known.text === text)) {
      checks.push(check.data);
    }
    return [];
  });
}
