import type { Response, Router } from 'express';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import {
  type FigureChanges,
  type ResultPair,
  type RunChanges,
  resultPairSchema,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { printMarkdown } from '../../base/text/report/print-markdown.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { documentLinks, permalinkId } from './links.ts';
import { preload } from './preload.ts';
import type { Preview } from './preview.ts';
import { sendText } from './send-text.ts';

/** `/c/{from}..{to}`: what changed between two results. For two sweeps it redirects to their overlay. */
export function changeLinks({ measurements, clientDirectory }: AppParts): Router {
  return documentLinks(
    `${permalinkId}\\.\\.${permalinkId}`,
    ['json', 'md'],
    async (name, format, _request, response) => {
      const pair = resultPairSchema.parse(name);
      if (format === 'html') return sendPage(pair, response);
      const { changes, report } = await measurements.changes(pair);
      const sent = { id: `${pair.from}-${pair.to}`, final: true };
      if (format === 'json') {
        return sendText(response, { ...sent, format: 'json', content: JSON.stringify(changes) });
      }
      if (report === null) {
        throw problem('not_acceptable', `Two sweeps are compared on their page only: ${changes.url}`);
      }
      await sendText(response, { ...sent, format: 'md', content: printMarkdown(report()) });
    },
  );

  /** Where two results cannot be compared, the page says why. */
  async function sendPage(pair: ResultPair, response: Response): Promise<void> {
    try {
      const { changes } = await measurements.changes(pair);
      if ('url' in changes) return response.redirect(changes.url);
      preload(response, `/changes/${pair.from}..${pair.to}`);
      await sendClient(response, clientDirectory, 200, previewOf(changes));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await sendClient(response, clientDirectory, error.problem.status);
    }
  }
}

function previewOf(changes: RunChanges | FigureChanges): Preview {
  const evidence = 'evidence' in changes ? changes.evidence : null;
  const facts = [...(evidence === null ? [] : [evidence]), `${changes.to.title}, compared by TLS Toll`];
  return { title: changes.sentence, description: `${facts.join('. ')}.`, image: null };
}
