import { useQueryClient } from '@tanstack/react-query';
import type { RunDocument } from '../../../../shared/run.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { forgetDeleteToken, recallDeleteToken } from '../../../api/delete-tokens.ts';
import { runQuery } from '../../../api/queries.ts';
import { ShareSection } from '../../../components/share-section.tsx';

/** Deleting is offered where the token is: in the browser that started the run. */
export function ShareRun({ document: { id, command } }: { document: RunDocument }) {
  const queryClient = useQueryClient();
  const token = recallDeleteToken(id);
  async function remove(deleteToken: string) {
    await callEndpoint('deleteRun', { params: { id }, headers: { 'x-delete-token': deleteToken } });
    forgetDeleteToken(id);
    await queryClient.invalidateQueries({ queryKey: ['runs'] });
    // Asked for again, the run is gone, and the page says so.
    await queryClient.resetQueries(runQuery(id));
  }
  return (
    <ShareSection
      what="run"
      path={`/r/${id}`}
      lead="The address holds everything on this page, raw slots and environment included, and needs no login."
      downloads={downloads}
      command={command}
      onDelete={token === null ? null : () => remove(token)}
    />
  );
}

const downloads = [
  { suffix: 'json', title: 'JSON, everything' },
  { suffix: 'csv', title: 'CSV, one row a slot' },
  { suffix: 'md', title: 'Markdown, the report' },
];
