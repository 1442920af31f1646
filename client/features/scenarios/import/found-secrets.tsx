import type { Secret } from '../../../../shared/scenario/import.ts';
import { SwitchLine } from '../../../components/switch-line.tsx';
import classes from '../scenarios.module.css';
import type { ImportForm } from './import-form.ts';

type Props = {
  secrets: readonly Secret[];
  declined: readonly string[];
  decide: (part: Partial<ImportForm>) => void;
};

/** What was taken for a secret. A switch gives a value back that is none. */
export function FoundSecrets({ secrets, declined, decide }: Props) {
  if (secrets.length === 0) return null;
  return (
    <div>
      <h4>Secrets</h4>
      <p className={classes.hint}>
        Their values were removed. Enter them at launch. Turn off what is not secret to keep its value.
      </p>
      <div className="stack snug">
        {secrets.map(({ name, why, declined: isDeclined }) =>
          isDeclined === undefined ? (
            <p key={name} className={classes.plain}>
              <code>{`\${secret:${name}}`}</code> {why}
            </p>
          ) : (
            <SwitchLine
              key={name}
              label={`\${secret:${name}}`}
              detail={why}
              checked={!isDeclined}
              onChange={(isSecret) =>
                decide({
                  declined: isSecret ? declined.filter((other) => other !== name) : [...declined, name],
                })
              }
            />
          ),
        )}
      </div>
    </div>
  );
}
