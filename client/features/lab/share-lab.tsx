import { useQueryClient } from '@tanstack/react-query';
import type { LabDocument } from '../../../shared/lab-document.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { forgetDeleteToken, recallDeleteToken } from '../../api/delete-tokens.ts';
import { labQuery } from '../../api/queries.ts';
import { ShareSection } from '../../components/share-section.tsx';

type Props = {
  document: LabDocument;
  /** What a row of the CSV is. */
  row: string;
};

export function ShareLab({ document: { id, command }, row }: Props) {
  const queryClient = useQueryClient();
  const token = recallDeleteToken(id);
  async function remove(deleteToken: string) {
    await callEndpoint('deleteLab', { params: { id }, headers: { 'x-delete-token': deleteToken } });
    forgetDeleteToken(id);
    await queryClient.invalidateQueries({ queryKey: ['labs'] });
    // Asked for again, it is gone, and the page says so.
    await queryClient.resetQueries(labQuery(id));
  }
  return (
    <ShareSection
      what="measurement"
      path={`/l/${id}`}
      lead="The address holds every figure, how it was measured, and the machine. It needs no login."
      downloads={[
        { suffix: 'json', title: 'JSON, everything' },
        { suffix: 'csv', title: `CSV, one row a ${row}` },
        { suffix: 'md', title: 'Markdown, the report' },
      ]}
      command={command}
      onDelete={token === null ? null : () => remove(token)}
    />
  );
}
