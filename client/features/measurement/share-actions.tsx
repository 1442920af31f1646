import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { type FieldError, fieldErrorsOf } from '../../../shared/base/problem.ts';
import {
  type AnnotationChange,
  annotationChangeSchema,
  ownTitle,
  type ShownAnnotation,
} from '../../../shared/measurement/annotation.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { binDays } from '../../../shared/results/schedule.ts';
import {
  defaultViewState,
  parseViewState,
  printViewState,
  type ShownMeasurement,
} from '../../../shared/results/shown-measurement.ts';
import { type Digest, withTitle } from '../../../shared/words/digest.ts';
import { asJira, asMarkdown, asSlack } from '../../../shared/words/message.ts';
import { mayCall } from '../../api/identity.ts';
import { recallDeleteToken } from '../../api/kept-texts.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { annotationQuery } from '../../api/queries.ts';
import { useAnnotate } from '../../api/result-mutations.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { ActionButton, ButtonRow, CopyButton, CopyLink } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { DeleteDialog, Dialog } from '../../components/dialog.tsx';
import { AreaField, Form, TextField } from '../../components/form-fields.tsx';
import menuClasses from '../../components/page.module.css';
import classes from './measurement.module.css';
import type { AnyView } from './unfold.ts';

export type Asking = 'annotation' | 'delete' | null;

type Props = { document: ShownMeasurement; view: AnyView; onAsk: (what: Asking) => void };

/** Beside the headline: the link, the page as a file, and in a menu the rest. */
export function ShareActions({ document, view, onAsk }: Props) {
  const { id } = document;
  const { page } = view;
  const over = isOver(document.state);
  const path = `/${page}/${id}`;
  const beside = useExplanation();
  const { search, hash } = useLocation();
  const link = `${location.origin}${path}${search}${hash}`;
  const { data: annotation } = useQuery(annotationQuery(id));
  const found = over ? (view.digest?.(document) ?? null) : null;
  const digest = found === null || annotation === undefined ? found : withTitle(found, ownTitle(annotation));
  const token = recallDeleteToken(id);
  const mayAnnotate = document.example !== true && mayCall(measurementEndpoints.changeAnnotation);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={classes.actions} role="group" aria-label="Share">
      <div className={classes.buttons}>
        <CopyLink link={link} />
        {over ? (
          <Button
            component="a"
            variant="default"
            size="sm"
            href={`${path}.html${beside}`}
            download={`tls-toll-${id}.html`}
          >
            Download page
          </Button>
        ) : null}
        <MoreMenu label="More ways to share">
          {mayAnnotate || token !== null ? (
            <MenuGroup title="This run">
              {mayAnnotate && annotation !== undefined ? (
                <MenuButton onClick={() => onAsk('annotation')}>Title, note, and tags</MenuButton>
              ) : null}
              {token === null ? null : <MenuButton onClick={() => onAsk('delete')}>Delete</MenuButton>}
            </MenuGroup>
          ) : null}
          {digest === null ? null : <CopyAs digest={digest} link={link} />}
          {over ? <Downloads path={path} document={document} view={view} /> : null}
          {over ? <Drawings name={`tls-toll-${id}`} /> : null}
        </MoreMenu>
      </div>
      <p className={classes.printed}>{link}</p>
    </div>
  );
}

/** The query that shows what a run is explained by, which is part of the page wherever it goes; empty without one. */
function useExplanation(): string {
  const { search } = useLocation();
  const { explain } = parseViewState(new URLSearchParams(search));
  return explain === null ? '' : `?${printViewState({ ...defaultViewState, explain })}`;
}

type DialogProps = { id: string; asking: Asking; onClose: () => void };

/** Dialogs that the menu opens. They stay in place while the page of a live measurement becomes that of its result. */
export function ShareDialogs({ id, asking, onClose }: DialogProps) {
  const { data: annotation } = useQuery(annotationQuery(id));
  const token = recallDeleteToken(id);
  return (
    <>
      {annotation === undefined ? null : (
        <Dialog open={asking === 'annotation'} onClose={onClose} title="Title, note, and tags">
          <AnnotationForm id={id} annotation={annotation} onClose={onClose} />
        </Dialog>
      )}
      {token === null ? null : <Delete id={id} token={token} open={asking === 'delete'} onClose={onClose} />}
    </>
  );
}

function Downloads({ path, document, view }: { path: string } & Pick<Props, 'document' | 'view'>) {
  const { csvRow, rawRow = csvRow } = view;
  const downloads = [
    { suffix: 'json', name: 'JSON', content: 'Everything' },
    { suffix: 'csv', name: 'CSV', content: `One row per ${csvRow}` },
    { suffix: 'jsonl', name: 'JSON Lines', content: `One row per ${rawRow}` },
    { suffix: 'parquet', name: 'Parquet', content: `One row per ${rawRow}` },
    { suffix: 'md', name: 'Markdown', content: 'The report' },
    ...(view.forms?.(document) ?? []),
  ];
  return (
    <MenuGroup title="Download">
      {downloads.map(({ suffix, name, content }) => (
        <a
          key={suffix}
          href={`${path}.${suffix}`}
          download={`tls-toll-${document.id}.${suffix}`}
          title={content}
        >
          {name}
        </a>
      ))}
    </MenuGroup>
  );
}

/** The verdict with its figures, in the markup of where it is pasted. */
function CopyAs({ digest, link }: { digest: Digest; link: string }) {
  return (
    <MenuGroup title="Copy">
      <CopyButton text={asMarkdown(digest, link)}>Copy as Markdown</CopyButton>
      <CopyButton text={asSlack(digest, link)}>Copy for Slack</CopyButton>
      <CopyButton text={asJira(digest, link)}>Copy for Jira</CopyButton>
    </MenuGroup>
  );
}

type DeleteProps = { id: string; token: string; open: boolean; onClose: () => void };

/** Offered where the token is: in the browser that started it. */
function Delete({ id, token, open, onClose }: DeleteProps) {
  const queryClient = useQueryClient();
  async function remove() {
    await callEndpoint(measurementEndpoints.deleteMeasurement, {
      params: { id },
      headers: { 'x-delete-token': token },
    });
    await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    // Asked for again, it is in the bin, and the page says so.
    await queryClient.resetQueries(measurementQuery(id));
  }
  return (
    <DeleteDialog what="this run" action="Delete" open={open} onClose={onClose} onDelete={remove}>
      {`You can restore it from the bin for ${binDays} days. Until then its link says that it is there.`}
    </DeleteDialog>
  );
}

type FormProps = { id: string; annotation: ShownAnnotation; onClose: () => void };

function AnnotationForm({ id, annotation, onClose }: FormProps) {
  const [text, setText] = useState(() => annotationText(annotation));
  const [tried, setTried] = useState(false);
  const save = useAnnotate(id);
  const parsed = parseAnnotation(text);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const fields = {
    form: text,
    set: (change: Partial<AnnotationText>) => setText((current) => ({ ...current, ...change })),
    messages: (name: string) => errorAt(errors, name),
    dir: 'auto',
    spellCheck: true,
  };
  return (
    <Card>
      <Form
        className="stack"
        noValidate
        onSubmit={() => {
          setTried(true);
          if ('change' in parsed && !save.isPending) save.mutate(parsed.change, { onSuccess: onClose });
        }}
      >
        <TextField {...fields} name="title" label="Title" placeholder={annotation.generatedTitle} />
        <TextField {...fields} name="tags" label="Tags" description="Separated by commas" />
        <AreaField {...fields} name="note" label="Note" rows={5} />
        <ProblemNotice error={save.error} />
        <ButtonRow>
          <ActionButton type="submit" pending={save.isPending}>
            Save
          </ActionButton>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </Form>
    </Card>
  );
}

/** An annotation as it is typed: tags are on one line, separated by commas. */
type AnnotationText = { title: string; note: string; tags: string };

export function annotationText(annotation: ShownAnnotation): AnnotationText {
  const { note, tags } = annotation;
  return { title: ownTitle(annotation) ?? '', note, tags: tags.join(', ') };
}

/** The change to store; otherwise the errors, field by field. */
export function parseAnnotation({
  title,
  note,
  tags,
}: AnnotationText): { change: AnnotationChange } | { errors: FieldError[] } {
  const typed = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const parsed = annotationChangeSchema.safeParse({ title, note, tags: typed });
  return parsed.success ? { change: parsed.data } : { errors: fieldErrorsOf(parsed.error) };
}

/** The error below a field, if it has one. For several wrong tags, the first error. */
export function errorAt(errors: readonly FieldError[], name: string): string | undefined {
  return errors.find(({ field }) => field.split('.')[0] === name)?.message;
}

/** Actions that are rarely needed, behind a button. The browser closes the menu on Escape, on a click elsewhere, and for a dialog. */
function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button ref={button} variant="default" size="sm" popoverTarget={id} aria-label={label}>
        ···
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={menuClasses.panel}
        onToggle={({ newState }) => {
          if (newState === 'open' && button.current !== null && panel.current !== null)
            place(panel.current, button.current.getBoundingClientRect());
        }}
      >
        {children}
      </div>
    </>
  );
}

const edge = 8;

/** Below the button, within the page, which it scrolls with. */
function place(panel: HTMLElement, button: DOMRect): void {
  const { width } = panel.getBoundingClientRect();
  const most = document.documentElement.clientWidth - width - edge;
  panel.style.left = `${Math.max(edge, Math.min(button.right - width, most))}px`;
  panel.style.top = `${button.bottom + window.scrollY + 6}px`;
}

/** Prints the page, or saves a part of it as it is now. */
function Drawings({ name }: { name: string }) {
  return (
    <MenuGroup title="Page">
      <MenuButton onClick={printAll}>Print all sections</MenuButton>
      <MenuButton onClick={() => void saveChart(name)}>Chart as PNG</MenuButton>
      <MenuButton onClick={() => saveDrawing(name)}>Rows as SVG</MenuButton>
    </MenuGroup>
  );
}

/** Opens every section for one printout. */
function printAll(): void {
  const folded = [...document.querySelectorAll<HTMLDetailsElement>('details[data-fold]:not([open])')];
  for (const each of folded) each.open = true;
  const close = () => {
    for (const each of folded) each.open = false;
  };
  window.addEventListener('afterprint', close, { once: true });
  // A section that is made once it is opened has a moment to appear.
  window.setTimeout(() => window.print(), 300);
}

/** The first chart, on the color of the page. */
async function saveChart(name: string): Promise<void> {
  const drawn = document.querySelector<HTMLCanvasElement>('main figure canvas');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (drawn === null || context === null) return;
  [canvas.width, canvas.height] = [drawn.width, drawn.height];
  context.fillStyle = getComputedStyle(drawn).getPropertyValue('--surface');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, 0);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png !== null) saveBlob(png, `${name}.png`);
}

const drawnBy = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'color',
  'font',
  'visibility',
];

/** Every strip of the table, each in its place, with the colors that the page has now. */
function saveDrawing(name: string): void {
  const drawings = [...document.querySelectorAll<SVGSVGElement>('main table svg[role="img"]')].filter(
    (each) => each.getBoundingClientRect().width > 0,
  );
  const [first] = drawings;
  if (first === undefined) return;
  const { left, top, width } = first.getBoundingClientRect();
  const whole = document.createElementNS(svgNamespace, 'svg');
  for (const drawing of drawings) {
    const box = drawing.getBoundingClientRect();
    const copy = withItsLook(drawing);
    for (const [key, value] of Object.entries({
      ...{ x: box.left - left, y: box.top - top, width: box.width, height: box.height },
    })) {
      copy.setAttribute(key, String(value));
    }
    whole.append(copy);
  }
  const height = Math.max(...drawings.map((each) => each.getBoundingClientRect().bottom)) - top;
  whole.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const text = new XMLSerializer().serializeToString(whole);
  saveBlob(new Blob([text], { type: 'image/svg+xml' }), `${name}.svg`);
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A copy that needs no style sheet. */
function withItsLook(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const look = getComputedStyle(originals[index] ?? drawing);
    element.removeAttribute('class');
    element.setAttribute('style', drawnBy.map((key) => `${key}:${look.getPropertyValue(key)}`).join(';'));
  }
  return copy;
}

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Closes the menu, whose own button has the focus then, and after a dialog again. */
function MenuButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onClick();
      }}
    >
      {children}
    </Button>
  );
}

function MenuGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id} className={menuClasses.group}>
      <p id={id}>{title}</p>
      {children}
    </div>
  );
}
