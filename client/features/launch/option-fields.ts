import type { tlsOptions } from '../../../shared/base/tls-options.ts';
import type { loadOptions } from '../../../shared/kinds/comparison/options.ts';
import type { serverOptions } from '../../../shared/target/server-options.ts';
import type { FieldsOf } from '../../format/option-field.ts';

/** By where a request has them. */
export type OptionFields = FieldsOf<typeof loadOptions> &
  FieldsOf<typeof tlsOptions, 'tls.'> &
  FieldsOf<typeof serverOptions, 'target.'>;
export type OptionId = keyof OptionFields;
