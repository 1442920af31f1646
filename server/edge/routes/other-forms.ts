import { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { besideResult } from './links.ts';
import { sendText } from './send-text.ts';

/** Of kinds that have them. */
const suffixes = ['folded', 'speedscope.json'] as const;

/** `/l/{id}.folded` and `/l/{id}.speedscope.json`: stacks, for tools that draw them. */
export function otherForms({ results }: AppParts): Router {
  const router = Router();
  for (const format of suffixes) {
    router.use(
      besideResult(`/:id.${format}`, async (id, _request, response) => {
        const { form, final } = await results.document(id);
        const content = form(format);
        if (content === null) return false;
        await sendText(response, { id, format, content, final });
      }),
    );
  }
  return router;
}
