import { placeOptions } from '../../../shared/base/option.ts';
import { type MeshRequest, meshRequestSchema } from '../../../shared/kinds/mesh/mesh.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import { type FieldsOf, fieldOf, messageOf, readField } from '../../format/option-field.ts';

/** A mesh as it is filled in. */
export type MeshForm = FieldsOf<typeof meshOptions>;
type MeshMessages = Partial<Record<keyof MeshForm, string>>;

/** Those that have a field. */
const placed = placeOptions(null, meshOptions).filter(({ option }) => option.field !== false);
const usual = ['proxy', 'application', 'clientProxy', 'mutual'];
export const usualOptions = placed.filter(({ name }) => usual.includes(name));
/** An application that is running already serves what it serves. */
export const seldomOptions = placed.filter(({ name }) => !usual.includes(name));

export const emptyMeshForm = Object.fromEntries(
  placed.map(({ name, option }) => [name, fieldOf(option, option.default)]),
) as MeshForm;

/** The request, or what is wrong with each field. */
export function parseMeshForm(form: MeshForm): { request: MeshRequest | null; messages: MeshMessages } {
  const values = placed.map(({ name, option }) => [name, readField(option, form[name as keyof MeshForm])]);
  const parsed = meshRequestSchema.safeParse({ kind: 'mesh', ...Object.fromEntries(values) });
  if (parsed.success) return { request: parsed.data, messages: {} };
  const messages: MeshMessages = {};
  for (const { path, code, message } of parsed.error.issues) {
    const field = path[0] as keyof MeshForm;
    const option = placed.find(({ name }) => name === field)?.option;
    if (option !== undefined) messages[field] ??= code === 'custom' ? sentence(message) : messageOf(option);
  }
  return { request: null, messages };
}

function sentence(text: string): string {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return begun.endsWith('.') ? begun : `${begun}.`;
}
