import { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { type CellDocument, cellSideSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { reportOf } from '../../kinds/servers/report/cell-document.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { besideResult } from './links.ts';
import { preload } from './preload.ts';
import { findCell, readCell } from './read-cell.ts';
import { sendText } from './send-text.ts';
import { statusOf } from './status-of.ts';

/** `/r/{id}/cells/{cell}`: a page for people, `.json`, and each side as `ab` would have printed it. */
export function cellLinks(parts: AppParts): Router {
  const { measurements, clientDirectory } = parts;
  const pages = besideResult('/:id/cells/:name', async (id, { params: { name = '' } }, response) => {
    const [, cell = '', suffix] = /^(.*?)(\.json)?$/.exec(name) ?? [];
    if (suffix === undefined) {
      const status = await statusOf(findCell(measurements, id, cell));
      if (status === 200) preload(response, `/measurements/${id}/cells/${encodeURIComponent(cell)}`);
      return sendClient(response, clientDirectory, status);
    }
    const { document, final } = await readCell(measurements, id, cell);
    await sendText(response, {
      id: `${id}-${cell}`,
      format: 'json',
      content: JSON.stringify(document),
      final,
    });
  });

  const files = besideResult(
    '/:id/cells/:cell/:file',
    async (id, { params: { cell = '', file = '' }, query }, response) => {
      const side = cellSideSchema.safeParse(/^(\w+)\.ab\.txt$/.exec(file)?.[1]).data;
      if (side === undefined) return false;
      const { document, final } = await readCell(measurements, id, cell);
      const content = reportText(document, side, query.round);
      await sendText(response, { id: `${id}-${cell}-${side}`, format: 'ab.txt', content, final });
      return true;
    },
  );

  return Router().use(pages, files);
}

/** @param round from 1 on, as the query has it; the median one when it is left out */
function reportText(
  { result, visits, reports }: CellDocument,
  side: 'http' | 'https',
  round: unknown,
): string {
  const visit = visits.find((each) => String(each.round + 1) === round);
  const report =
    round === undefined
      ? reports[side]
      : visit === undefined
        ? null
        : reportOf(result.cell, visit, side, null);
  if (report !== null) return report.text;
  const which = round === undefined ? 'any round' : `round ${String(round).slice(0, 20)}`;
  throw problem('not_found', `What ab reports was not kept of ${which} of ${result.cell.id}.`);
}
