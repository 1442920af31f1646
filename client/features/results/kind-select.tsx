import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { choicesQuery } from '../../api/queries.ts';
import { kindsWithCounts } from '../../format/kinds-with-counts.ts';

/** Which measurements to see. Comparisons are shown by their questions, all others in the list. */
export function KindSelect() {
  const { data: choices } = useQuery(choicesQuery);
  const navigate = useNavigate();
  return (
    <NativeSelect
      label="Kind"
      value="comparison"
      onChange={({ currentTarget: { value } }) => navigate(`/runs?kind=${value}`)}
      data={kindsWithCounts(choices?.kinds ?? [])}
    />
  );
}
