import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { recordingEndpoints } from '../../../../shared/api/recording-endpoints.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { Card } from '../../../components/card.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { asImported, choicesOf, type ImportForm, untouched } from './import-form.ts';
import { ImportedScenario } from './imported-scenario.tsx';

/** What came of a recording, to decide on and to save. It ends by being read, if it has not yet. */
export function RecordedCard({ sid }: { sid: string }) {
  const [form, setForm] = useState<ImportForm>(untouched);
  const finish = useMutation({
    mutationFn: (asked: ImportForm) =>
      callEndpoint(recordingEndpoints.finishRecording, {
        params: { sid },
        body: { choices: choicesOf(asked) },
      }),
    onSuccess: (report, asked) => setForm(asImported(asked, report)),
  });
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) finish.mutate(untouched);
    begun.current = true;
  }, [finish.mutate]);
  return (
    <Card>
      <div aria-live="polite">
        {form.report === null && finish.error === null ? <Waiting>Creating the scenario</Waiting> : null}
        <ProblemNotice error={finish.error} />
      </div>
      {form.report === null ? null : (
        <ImportedScenario
          report={form.report}
          form={form}
          decide={(part) => {
            const next = { ...form, ...part };
            setForm(next);
            finish.mutate(next);
          }}
          reading={finish.isPending}
        />
      )}
    </Card>
  );
}
