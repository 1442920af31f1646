import { useState } from 'react';
import { troubleOf } from '../../api/trouble.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { AxesFields } from './axes-fields.tsx';
import classes from './lab-card.module.css';
import { emptyLabForm, type LabForm, parseLabForm } from './lab-form.ts';

export function LabCard() {
  const [form, setForm] = useState(emptyLabForm);
  const [tried, setTried] = useState(false);
  const launch = useCreateMeasurement();
  const { request, messages } = parseLabForm(form);
  const set = (change: Partial<LabForm>) => {
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
          if (request !== null) launch.mutate(request);
        }}
      >
        <ChoiceCards
          legend="What to measure"
          name="grid"
          value={form.grid}
          choices={grids}
          onChange={(grid) => set({ grid })}
        />
        {form.grid === 'own' ? (
          <AxesFields form={form} set={set} messages={tried ? (messages ?? {}) : {}} />
        ) : null}
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

const grids: { value: LabForm['grid']; title: string; body: string }[] = [
  {
    value: 'today',
    title: 'Today',
    body: 'TLS 1.3 and 1.2 with the keys, groups and suites in use, full and resumed. About a minute and a half.',
  },
  {
    value: 'post-quantum',
    title: 'Post-quantum',
    body: 'Hybrid key agreement and ML-DSA certificates beside X25519 and P-256. About a minute and a half.',
  },
  {
    value: 'classic',
    title: '1997 again',
    body: 'The table of the SSLeay study, with RSA keys, old and new suites, and four payloads. About a minute and a half.',
  },
  {
    value: 'everything',
    title: 'Everything',
    body: 'Every suite, key and group that the library can negotiate. About ten minutes.',
  },
  {
    value: 'speed',
    title: 'Primitives',
    body: 'Digests, ciphers, signatures and key agreement by themselves, beside openssl speed. About two minutes.',
  },
  {
    value: 'browser',
    title: 'A visitor’s browser',
    body: 'The storefront is searched in a real Chromium over both transports: first byte, paints, load, cold and warm.',
  },
  { value: 'own', title: 'Own grid', body: 'Choose the axes yourself.' },
];
