import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { teamEndpoints } from '../../../shared/api/team-endpoints.ts';
import type { CreatedUser } from '../../../shared/team/team.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { identity } from '../../api/identity.ts';
import { usersQuery } from '../../api/users-query.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { AddUser } from './add-user.tsx';
import { ShownOnce } from './shown-once.tsx';
import { UserTable } from './user-table.tsx';

/** Everybody who may sign in. A password that was made is shown until the next one or the end of the page. */
export function UsersSection() {
  const queryClient = useQueryClient();
  const users = useQuery(usersQuery);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  const act = useMutation({
    mutationFn: (action: () => Promise<CreatedUser | null>) => action(),
    onSettled: readAgain,
  });
  const made = act.data ?? null;
  return (
    <Section id="users" title="Users" lead="Who may sign in to this server, and what they may do.">
      <ProblemNotice error={act.error} />
      {made === null || made.password === null ? null : (
        <ShownOnce
          title={`Password of ${made.email}`}
          advice="Send it over a secure channel."
          secret={made.password}
          copy="Copy password"
        />
      )}
      <Answer of={users} waiting="Loading users">
        {(known) => (
          <UserTable
            users={known}
            onRole={({ id }, role) =>
              act.mutate(() =>
                callEndpoint(teamEndpoints.changeUser, { params: { id }, body: { role } }).then(() => null),
              )
            }
            onPassword={({ id }) =>
              act.mutate(() => callEndpoint(teamEndpoints.resetPassword, { params: { id } }))
            }
            onDelete={({ id }) =>
              act.mutateAsync(() =>
                callEndpoint(teamEndpoints.deleteUser, { params: { id } }).then(() => null),
              )
            }
          />
        )}
      </Answer>
      <Card>
        <AddUser
          provider={identity?.ways.provider ?? null}
          pending={act.isPending}
          onAdd={(body) => act.mutateAsync(() => callEndpoint(teamEndpoints.createUser, { body }))}
        />
      </Card>
    </Section>
  );
}
