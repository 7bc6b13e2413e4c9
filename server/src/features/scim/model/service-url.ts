import type { ScimActor } from '../../../platform/http/actor.js'
import type { ScimDeps } from './deps.js'

/** Returns the URL of the team's SCIM service, with the name that the client uses for the team. */
export const serviceUrlOf = ({ config }: Pick<ScimDeps, 'config'>, { orgRef }: ScimActor): string =>
  `${config.baseUrl}/scim/v2/${orgRef}`
