import { Link } from 'react-router';
import { FieldRow } from '../../components/field-row.tsx';
import { SecretField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { type FieldMessages, type LaunchForm, type SetField, usesAgent } from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** For a target whose CPU another host knows; open where something of it is given, or wrong. */
export function AgentFields(fields: Props) {
  const { form, messages } = fields;
  const wrong = [messages.agent, messages.agentKey, messages.agentToken].some(
    (message) => message !== undefined,
  );
  return (
    <MoreFields title="Agent on the target’s host" open={usesAgent(form) || wrong}>
      <p className={classes.hint}>
        Reads CPU, memory, and disk where the target runs. <Link to="/docs/hosts">How to start it</Link>
      </p>
      <FieldRow>
        <TextField {...fields} name="agent" label="Agent address" placeholder="10.1.0.5:7301" />
        <TextField {...fields} name="agentKey" label="Agent fingerprint" description="The agent prints it." />
        <SecretField
          {...fields}
          name="agentToken"
          label="Agent token"
          description="Kept in memory until the run ends."
          maxLength={512}
        />
      </FieldRow>
    </MoreFields>
  );
}
