import type { ScimActor } from '../../platform/http/actor.js'
import type { ScimDeps } from './deps.js'

/** The address of the team's SCIM service, by the name that the directory uses for the team. */
export const baseOf = ({ config }: Pick<ScimDeps, 'config'>, { orgRef }: ScimActor): string =>
  `${config.baseUrl}/scim/v2/${orgRef}`
