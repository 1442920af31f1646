import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { printNumber } from '../../../shared/quantity.ts';
import { type SweepPreset, sweepPresets } from '../../../shared/sweep-presets.ts';
import { serversQuery } from '../../api/queries.ts';
import { troubleOf } from '../../api/trouble.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { CheckPills } from '../../components/check-pills.tsx';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { printCount } from '../../format/count.ts';
import { printDuration } from '../../format/duration.ts';
import { factorTitles, printLevel } from '../../format/factor-words.ts';
import { whatIsMissing } from '../../format/server-choice.ts';
import {
  cellLimit,
  type FactorsForm,
  type FactorsMessages,
  formOf,
  levelOf,
  levelsOfFactor,
  parseFactorsForm,
  type TickedFactor,
  tickedFactors,
} from './factors-form.ts';
import classes from './sweeps.module.css';

const presets: { value: SweepPreset; label: string }[] = [
  { value: 'servers', label: 'Servers of today' },
  { value: 'malmgren-2011', label: 'Malmgren 2011' },
];

/** Asks for a factor sweep: a preset fills the plan, which can be changed. */
export function FactorsCard() {
  const [form, setForm] = useState(() => formOf(sweepPresets.servers));
  const [tried, setTried] = useState(false);
  const { data: found } = useQuery(serversQuery);
  const launch = useCreateMeasurement();
  const { request, messages, size } = parseFactorsForm(form);
  const shown: FactorsMessages = tried ? messages : planOnly(messages);
  const set = (change: Partial<FactorsForm>) => {
    setForm((current) => ({ ...current, ...change }));
    launch.reset();
  };
  const choicesOf = (factor: TickedFactor) =>
    levelsOfFactor(factor).map((value) => {
      const missing = factor === 'server' ? whatIsMissing(found?.find(({ name }) => name === value)) : null;
      const label = printLevel(factor, levelOf(factor, value));
      return missing === null ? { value, label } : { value, label: `${label} (missing)`, title: missing };
    });
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (request !== null) launch.mutate({ ...request, kind: 'sweep' });
        }}
      >
        <PresetButtons
          legend="Fill in"
          presets={presets}
          onChoose={(preset) => set(formOf(sweepPresets[preset]))}
        />
        <ChoicePills
          legend="Cells"
          legendShown
          name="shape"
          value={form.shape}
          choices={[
            { value: 'grid', label: 'Every combination' },
            { value: 'each', label: 'One factor at a time' },
          ]}
          onChange={(shape) => set({ shape })}
        />
        <div className={classes.factors}>
          {tickedFactors.map((factor) => (
            <CheckPills
              key={factor}
              legend={factorTitles[factor]}
              name={factor}
              values={form.ticked[factor]}
              choices={choicesOf(factor)}
              error={shown[factor]}
              onChange={(values) => set({ ticked: { ...form.ticked, [factor]: values } })}
            />
          ))}
        </div>
        <div className={classes.pair}>
          <TextInput
            label="Connections at a time"
            value={form.concurrency}
            error={shown.concurrency}
            onChange={(event) => set({ concurrency: event.currentTarget.value })}
            autoComplete="off"
          />
          <TextInput
            label="Documents, bytes"
            value={form.document}
            error={shown.document}
            onChange={(event) => set({ document: event.currentTarget.value })}
            autoComplete="off"
          />
          <TextInput
            label="Rounds of the cells"
            value={form.rounds}
            error={shown.rounds}
            onChange={(event) => set({ rounds: event.currentTarget.value })}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
        <p
          aria-live="polite"
          data-testid="plan-size"
          data-error={shown.plan === undefined ? undefined : true}
        >
          {shown.plan ??
            (size === null
              ? 'The plan cannot be counted yet.'
              : `${printCount(size.cells, 'cell')}, ${printNumber(Number(form.rounds), 0)} rounds, about ${printDuration(size.seconds)}. ${cellLimit}`)}
        </p>
        {launch.error === null ? null : <TroubleNotice trouble={troubleOf(launch.error)} />}
        <div>
          <ActionButton type="submit" size="md" pending={launch.isPending}>
            Measure the cells
          </ActionButton>
        </div>
      </form>
    </Card>
  );
}

/** What is said before anybody has tried: a plan that is too large has no count to show. */
function planOnly({ plan }: FactorsMessages): FactorsMessages {
  return plan === undefined ? {} : { plan };
}
