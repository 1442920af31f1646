import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { exchangeEndpoints } from '../../../../shared/api/exchange-endpoints.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Card } from '../../../components/card.tsx';
import { Form } from '../../../components/form.tsx';
import { SelectField } from '../../../components/form-fields.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import classes from '../scenarios.module.css';
import { asImported, formats, type ImportForm, queryOf, sourceOf, untouched } from './import-form.ts';
import { ImportedScenario } from './imported-scenario.tsx';

/** A file or a pasted text becomes a report; every switch in the report reads the source once more. */
export function ImportCard() {
  const [form, setForm] = useState<ImportForm>(untouched);
  const read = useMutation({
    mutationFn: (asked: ImportForm) =>
      callEndpoint(exchangeEndpoints.importScenario, { query: queryOf(asked), body: sourceOf(asked) }),
    onSuccess: (report, asked) => setForm(asImported(asked, report)),
  });
  const isEmpty = form.file === null && form.text.trim() === '';

  function change(part: Partial<ImportForm>) {
    setForm({ ...form, ...part });
    read.reset();
  }
  /** A decision on what was read: the report stays on the screen until the new one is there. */
  function decide(part: Partial<ImportForm>) {
    const next = { ...form, ...part };
    setForm(next);
    read.mutate(next);
  }

  return (
    <Card>
      <Form className="stack" onSubmit={() => read.mutate(form)}>
        <div className={classes.sources}>
          <label className={classes.file}>
            <span>File</span>
            <input
              type="file"
              accept=".har,.json,.ts,.js,.mjs,.txt,.sh"
              onChange={(event) => change({ ...untouched, file: event.currentTarget.files?.[0] ?? null })}
            />
            <small>HAR (up to 64 MiB), Playwright test, Chrome DevTools recording, or JSON scenario.</small>
          </label>
          <Textarea
            label="Or paste text"
            description="Code is never executed."
            placeholder="await page.goto('https://shop.example/') … or: curl https://shop.example/"
            rows={5}
            value={form.text}
            onChange={(event) => change({ ...untouched, text: event.currentTarget.value })}
            spellCheck={false}
            classNames={{ input: 'code' }}
          />
        </div>
        <div className={classes.importCardFacts}>
          <SelectField form={form} set={change} name="format" label="Format" data={formats} />
          <ActionButton type="submit" blocked={isEmpty} pending={read.isPending}>
            Preview import
          </ActionButton>
        </div>
      </Form>
      <div aria-live="polite">
        {read.isPending && form.report === null ? <Waiting>Reading</Waiting> : null}
        <ProblemNotice error={read.error} />
      </div>
      {form.report === null || read.error !== null ? null : (
        <ImportedScenario report={form.report} form={form} decide={decide} reading={read.isPending} />
      )}
    </Card>
  );
}
