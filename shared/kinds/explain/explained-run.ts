import { z } from 'zod';
import { exactSchemas } from '../../base/option-schema.ts';
import { tlsProfileSchema } from '../../base/tls-profile.ts';
import { permalinkIdSchema } from '../../base/units.ts';
import { scenarioSchema } from '../../scenario/scenario.ts';
import { targetSchema } from '../../target/target.ts';
import { atLoadSchema } from '../comparison/at-load.ts';
import { loadOptions } from '../comparison/options.ts';
import { sidesRequestSchema } from '../comparison/side.ts';

const { connections, connectionPolicy, requestsPerConnection, generators, thinkTimeScale } =
  exactSchemas(loadOptions);

/** A run that is explained: its sides, its target and the load that it found, instead of what the options say. */
export const explainedRunSchema = z.strictObject({
  id: permalinkIdSchema,
  target: targetSchema,
  sides: sidesRequestSchema,
  tls: tlsProfileSchema,
  scenario: scenarioSchema,
  ...{ connections, connectionPolicy, requestsPerConnection, generators, thinkTimeScale },
  load: atLoadSchema,
});
