import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keyEndpoints } from '../../../shared/api/key-endpoints.ts';
import type { Role } from '../../../shared/team/role.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { keysQuery } from '../../api/keys-query.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { AddKey, type KeyForm } from './add-key.tsx';
import { KeyTable } from './key-table.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Keys for programs, up to the role of the reader. One that was made is shown until the next one or the end of the page. */
export function KeysSection({ role }: { role: Role }) {
  const queryClient = useQueryClient();
  const keys = useQuery(keysQuery);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  const add = useMutation({
    mutationFn: (body: KeyForm) => callEndpoint(keyEndpoints.createKey, { body }),
    onSettled: readAgain,
  });
  const lead = (
    <>
      CI jobs and scripts send a key instead of signing in.{' '}
      <Link to="/docs/ci">How to use a key in a build</Link>
    </>
  );
  return (
    <Section id="keys" title="API keys" lead={lead}>
      <ProblemNotice error={add.error} />
      {add.data === undefined ? null : (
        <ShownOnce
          title={`API key ${add.data.name}`}
          advice="Store it where your CI keeps its secrets."
          secret={add.data.key}
          copy="Copy API key"
        />
      )}
      <Answer of={keys} waiting="Loading API keys">
        {(known) =>
          known.length === 0 ? null : (
            <KeyTable
              keys={known}
              ofEverybody={role === 'admin'}
              onDelete={({ id }) =>
                callEndpoint(keyEndpoints.deleteKey, { params: { id } }).finally(readAgain)
              }
            />
          )
        }
      </Answer>
      <Card>
        <AddKey most={role} pending={add.isPending} onAdd={(key) => add.mutateAsync(key)} />
      </Card>
    </Section>
  );
}
