import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keyEndpoints } from '../../../shared/api/key-endpoints.ts';
import type { Role } from '../../../shared/team/role.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { keysQuery } from '../../api/keys-query.ts';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { AddKey, type KeyForm } from './add-key.tsx';
import { KeyTable } from './key-table.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Keys for programs, up to the role of the reader. One that was made is shown until the next one or the end of the page. */
export function KeysSection({ role }: { role: Role }) {
  const queryClient = useQueryClient();
  const keys = useQuery(keysQuery);
  const onSettled = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  const add = useMutation({
    mutationFn: (body: KeyForm) => callEndpoint(keyEndpoints.createKey, { body }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (id: string) => callEndpoint(keyEndpoints.deleteKey, { params: { id } }),
    onSettled,
  });
  const problem = add.error ?? keys.error;
  const lead = (
    <>
      CI jobs and scripts send a key instead of signing in.{' '}
      <Link to="/docs/ci">How to use a key in a build</Link>
    </>
  );
  return (
    <Section id="keys" title="API keys" lead={lead}>
      <ProblemNotice error={problem} />
      {add.data === undefined ? null : (
        <ShownOnce
          title={`API key ${add.data.name}`}
          advice="Store it where your CI keeps its secrets."
          secret={add.data.key}
          copy="Copy API key"
        />
      )}
      {keys.isPending ? <Waiting>Loading API keys</Waiting> : null}
      {keys.data === undefined || keys.data.length === 0 ? null : (
        <KeyTable
          keys={keys.data}
          ofEverybody={role === 'admin'}
          onDelete={({ id }) => remove.mutateAsync(id)}
        />
      )}
      <Card>
        <AddKey most={role} pending={add.isPending} onAdd={(key) => add.mutateAsync(key)} />
      </Card>
    </Section>
  );
}
