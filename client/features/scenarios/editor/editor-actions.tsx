import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { scenarioEndpoints } from '../../../../shared/api/scenario-endpoints.ts';
import { ProblemError } from '../../../../shared/base/problem.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import type { StoredScenario } from '../../../../shared/scenario/stored-scenario.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { mayCall } from '../../../api/identity.ts';
import { scenarioQuery } from '../../../api/queries.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { ButtonRow } from '../../../components/button-row.tsx';
import { DeleteButton } from '../../../components/delete-button.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import type { Messages } from './draft.ts';

type Props = {
  stored: StoredScenario | null;
  /** Null while something in it is not right. */
  scenario: Scenario | null;
  touched: boolean;
  /** What the server finds wrong, by its fields. */
  onProblem: (messages: Messages) => void;
  onSaved: (saved: StoredScenario) => void;
};

/** A change of a stored scenario is a new revision of it; anything else is a new scenario. */
export function EditorActions({ stored, scenario, touched, onProblem, onSaved }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const own = stored === null || stored.builtIn ? null : stored;
  const save = useMutation({
    mutationFn: (scenario: Scenario) =>
      own === null
        ? callEndpoint(scenarioEndpoints.createScenario, { body: { scenario, origin: 'editor' } })
        : callEndpoint(scenarioEndpoints.changeScenario, {
            params: { id: own.id },
            body: { scenario, origin: 'editor', basedOn: own.revision?.number },
          }),
    onSuccess: async (saved) => {
      onSaved(saved);
      queryClient.setQueryData(scenarioQuery(saved.id).queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
      if (saved.id !== own?.id) await navigate(`/scenarios/${saved.id}`);
    },
    onError: (error) => {
      if (!(error instanceof ProblemError)) return;
      const errors = error.problem.errors ?? [];
      onProblem(
        Object.fromEntries(errors.map(({ field, message }) => [field.replace(/^scenario\./, ''), message])),
      );
    },
  });
  if (!mayCall(scenarioEndpoints.createScenario)) return null;
  const blocked = scenario === null || (own !== null && !touched);
  const words =
    stored === null ? 'Save scenario' : own === null ? 'Save as new scenario' : 'Save new revision';
  return (
    <>
      <ProblemNotice error={save.error} />
      <ButtonRow>
        <ActionButton
          pending={save.isPending}
          blocked={blocked}
          onClick={() => {
            if (scenario !== null) save.mutate(scenario);
          }}
          data-testid="save"
        >
          {words}
        </ActionButton>
        {stored === null ? null : (
          <LinkButton to={`/?scenario=${stored.id}`}>
            {touched ? 'Launch saved version' : 'Launch with this scenario'}
          </LinkButton>
        )}
        {own === null ? null : <DeleteScenario id={own.id} name={own.scenario.name} />}
      </ButtonRow>
      {touched && scenario === null ? <p className="soft">Correct the marked fields to save.</p> : null}
      {!touched && stored === null && scenario === null ? (
        <p className="soft">Name the scenario below the steps to save or try it.</p>
      ) : null}
    </>
  );
}

function DeleteScenario({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  async function remove() {
    await callEndpoint(scenarioEndpoints.deleteScenario, { params: { id } });
    await navigate('/scenarios');
    queryClient.removeQueries({ queryKey: ['scenario', id] });
    await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
  }
  return (
    <DeleteButton what={`“${name}”`} onDelete={remove}>
      The scenario is removed from the list. Revisions that runs used keep their links.
    </DeleteButton>
  );
}
