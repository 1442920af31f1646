import { ActionIcon, Checkbox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { mayCall } from '../../api/identity.ts';
import { Icon } from '../../components/icon.tsx';
import { LinkItem } from '../../components/link-list.tsx';
import { TagLinks } from '../../components/tag-links.tsx';
import { describeMeasurement, hasOwnTitle } from '../../format/measurement-line.ts';
import { RenameForm } from './rename-form.tsx';

type Props = {
  summary: MeasurementSummary;
  when: string;
  selected: boolean;
  onSelect: () => void;
};

export function ResultLine({ summary, when, selected, onSelect }: Props) {
  const [renaming, setRenaming] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    if (wasRenaming.current && !renaming) rename.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  const { title, details, look } = describeMeasurement(summary);
  return (
    <LinkItem
      line={{ href: summary.url, title, detail: [...details, when].join(' · '), look }}
      before={<Checkbox aria-label={`Select ${title}`} checked={selected} onChange={onSelect} />}
      beside={
        mayCall(measurementEndpoints.changeAnnotation) ? (
          <ActionIcon
            ref={rename}
            variant="subtle"
            size="md"
            aria-label={`Rename ${title}`}
            onClick={() => setRenaming(true)}
          >
            <Icon name="pencil" size={14} />
          </ActionIcon>
        ) : null
      }
      {...(renaming && {
        instead: (
          <RenameForm
            id={summary.id}
            title={hasOwnTitle(summary) ? summary.title : ''}
            generatedTitle={summary.generatedTitle}
            onClose={() => setRenaming(false)}
          />
        ),
      })}
      {...(summary.tags.length > 0 && { below: <TagLinks tags={summary.tags} /> })}
    />
  );
}
