import { PasswordInput, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { type FieldMessages, type LaunchForm, type SetField, usesAgent } from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** For a target whose CPU another host knows; open where something of it is given, or wrong. */
export function AgentFields({ form, set, messages }: Props) {
  const wrong = [messages.agent, messages.agentKey, messages.agentToken].some(
    (message) => message !== undefined,
  );
  return (
    <MoreFields title="Agent on the target’s host" open={usesAgent(form) || wrong}>
      <p className={classes.hint}>
        Reads CPU, memory, and disk where the target runs. <Link to="/docs/hosts">How to start it</Link>
      </p>
      <FieldRow>
        <TextInput
          label="Agent address"
          placeholder="10.1.0.5:7301"
          value={form.agent}
          error={messages.agent}
          onChange={(event) => set({ agent: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Agent fingerprint"
          description="The agent prints it."
          value={form.agentKey}
          error={messages.agentKey}
          onChange={(event) => set({ agentKey: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label="Agent token"
          description="Kept in memory until the run ends."
          value={form.agentToken}
          error={messages.agentToken}
          onChange={(event) => set({ agentToken: event.currentTarget.value })}
          autoComplete="off"
          maxLength={512}
        />
      </FieldRow>
    </MoreFields>
  );
}
