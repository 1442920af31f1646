import type { Correlation, ImportReport, LeftOut } from '../../../../shared/scenario/import.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { SwitchLine } from '../../../components/switch-line.tsx';
import { printCount } from '../../../format/count.ts';
import { describeRule } from '../rule-words.ts';
import classes from '../scenarios.module.css';
import type { ImportForm } from './import-form.ts';

type Props = { report: ImportReport; form: ImportForm; decide: (part: Partial<ImportForm>) => void };

/** What only the user can know: which requests belong to the scenario, and which values are made by the server. */
export function ImportDecisions({ report, form, decide }: Props) {
  const { leftOut, correlations, format } = report;
  if (format !== 'har' && format !== 'recording') return null;
  const accepted = form.accepted ?? [];
  return (
    <>
      <div className="stack snug">
        <SwitchLine
          label="Keep static files"
          detail={countOf(leftOut, 'static_file', 'Style sheets, scripts, images, fonts')}
          checked={form.staticFiles}
          onChange={(staticFiles) => decide({ staticFiles })}
        />
        <SwitchLine
          label="Keep requests to other hosts"
          detail={countOf(leftOut, 'third_party', 'Sent to the target instead')}
          checked={form.thirdParties}
          onChange={(thirdParties) => decide({ thirdParties })}
        />
        <ChoicePills
          legend="Think time"
          legendShown
          name="think-times"
          value={form.thinkTimeScale}
          choices={[
            { value: '1', label: 'As recorded' },
            { value: '0.5', label: 'Half' },
            { value: '0', label: 'None' },
          ]}
          onChange={(thinkTimeScale) => decide({ thinkTimeScale })}
        />
      </div>
      {correlations.length === 0 ? null : (
        <div>
          <h4>Dynamic values</h4>
          <p className={classes.hint}>
            Each value came from an earlier response. If on, every visit extracts it from that response again.
            If off, it is sent as recorded.
          </p>
          <div className="stack snug">
            {correlations.map((each) => {
              const { variable } = each.extract;
              return (
                <SwitchLine
                  key={variable}
                  label={variable}
                  detail={describeUses(each, report)}
                  checked={accepted.includes(variable)}
                  onChange={(on) =>
                    decide({
                      accepted: on ? [...accepted, variable] : accepted.filter((name) => name !== variable),
                    })
                  }
                />
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}

const placeWords: Record<Correlation['uses'][number]['place'], (name: string) => string> = {
  path: (number) => `path segment ${number}`,
  query: (name) => `query field ${name}`,
  form: (name) => `form field ${name}`,
  json: (name) => `JSON field ${name}`,
  header: (name) => `header ${name}`,
};

function countOf(leftOut: readonly LeftOut[], reason: LeftOut['reason'], otherwise: string): string {
  const left = leftOut.find((each) => each.reason === reason);
  if (left === undefined) return otherwise;
  return `${printCount(left.count, 'request')} left out: ${left.what.join(', ')}`;
}

function describeUses({ extract, step, uses }: Correlation, { scenario }: ImportReport): string {
  const name = (index: number) => `“${scenario?.steps[index]?.name ?? index + 1}”`;
  const places = uses.map((use) => `${placeWords[use.place](use.name)} in ${name(use.step)}`);
  const shown = places.slice(0, 3).join(', ');
  const more = places.length > 3 ? ` and ${places.length - 3} more` : '';
  return `Extracted ${describeRule(extract)} in ${name(step)}, for ${shown}${more}`;
}
