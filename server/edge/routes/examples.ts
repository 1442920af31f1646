import type { Router } from 'express';
import { capitalized } from '../../../shared/base/capitalized.ts';
import { whereAndWhen } from '../../../shared/words/example-words.ts';
import { summaryOf } from '../../life/examples/with-examples.ts';
import { saidOf } from '../../life/measurement/read/said-of.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { serve } from './endpoint.ts';

/** Results that came with the program, for a server that has none of its own. */
export function examples(router: Router, { examples: all }: AppParts): void {
  serve(router, 'listExamples', async () => ({
    examples: (await all.list()).flatMap((example) => {
      const { name, asks, kind, document } = example;
      if (asks === null) return [];
      const summary = summaryOf(example);
      const { headline } = digestOfResult(saidOf(kind, document), summary);
      return {
        name,
        asks,
        headline,
        id: summary.id,
        url: summary.url,
        measured: capitalized(whereAndWhen(document)),
      };
    }),
  }));
}
