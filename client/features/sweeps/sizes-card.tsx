import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ServerKey, type ServerName, serverKeys } from '../../../shared/target.ts';
import { serversQuery } from '../../api/queries.ts';
import { troubleOf } from '../../api/trouble.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { serverChoices } from '../../format/server-choice.ts';
import { emptySizesForm, parseSizesForm, type SizesForm } from './sizes-form.ts';
import classes from './sweeps.module.css';

/** Asks for a document-size sweep. */
export function SizesCard() {
  const [form, setForm] = useState(emptySizesForm);
  const [tried, setTried] = useState(false);
  const { data: found } = useQuery(serversQuery);
  const launch = useCreateMeasurement();
  const { request, messages } = parseSizesForm(form);
  const shown = tried ? messages : {};
  const set = (change: Partial<SizesForm>) => {
    setForm((current) => ({ ...current, ...change }));
    launch.reset();
  };
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (request !== null) launch.mutate({ ...request, kind: 'sizes' });
        }}
      >
        <PresetButtons
          legend="Fill in"
          presets={[{ value: 'webperf-1998', label: 'WebPerf 1998' }]}
          onChoose={() => set({ sizes: emptySizesForm.sizes, rounds: emptySizesForm.rounds })}
        />
        <div className={classes.pair}>
          <NativeSelect
            label="Server"
            value={form.server}
            onChange={(event) => set({ server: event.currentTarget.value as ServerName })}
            data={serverChoices(found)}
          />
          <NativeSelect
            label="Key of its certificate"
            value={form.key}
            onChange={(event) => set({ key: event.currentTarget.value as ServerKey })}
            data={[...serverKeys]}
          />
        </div>
        <Textarea
          label="Document sizes, bytes"
          description="The 24 of the 1998 study, or your own."
          value={form.sizes}
          error={shown.sizes}
          onChange={(event) => set({ sizes: event.currentTarget.value })}
          autosize
          minRows={2}
          spellCheck={false}
        />
        <div className={classes.pair}>
          <TextInput
            label="Cipher suites"
            description="One HTTPS side for each. Empty: the library’s choice."
            value={form.suites}
            error={shown.suites}
            onChange={(event) => set({ suites: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            label="Rounds"
            description="5 s each with the sizes of the study."
            value={form.rounds}
            error={shown.rounds}
            onChange={(event) => set({ rounds: event.currentTarget.value })}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
        {launch.error === null ? null : <TroubleNotice trouble={troubleOf(launch.error)} />}
        <div>
          <ActionButton type="submit" size="md" pending={launch.isPending}>
            Measure
          </ActionButton>
        </div>
      </form>
    </Card>
  );
}
