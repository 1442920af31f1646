import { z } from 'zod';
import { documentEndpoints } from '../../shared/api/document-endpoints.ts';
import { type CellResult, cellResultSchema } from '../../shared/kinds/servers/servers-result.ts';
import { kinds } from '../../shared/measurement/kinds.ts';

/**
 * Cells of a sweep all have the same shape, so the first one shows whether this page knows it. The server has checked each of
 * them, and there may be thousands: parsing them all again takes a fifth of the time in which their page opens.
 */
const cellsSchema = z.custom<CellResult[]>(
  (cells) =>
    Array.isArray(cells) && cells.slice(0, 1).every((cell) => cellResultSchema.safeParse(cell).success),
);

export const showPage = {
  ...documentEndpoints.showPage,
  response: z.union([
    kinds.servers.document.extend({ cells: cellsSchema }),
    documentEndpoints.showPage.response,
  ]),
};
