import type { Actor } from '../../platform/http/actor.js'
import type { RoleDeps } from '../members/index.js'
import type { UserDeps } from './deps.js'
import type { Welcoming } from './send-welcome.js'

export type ImportDeps = Pick<
  UserDeps,
  'db' | 'clock' | 'jobs' | 'config' | 'mailer' | 'verifiedDomains' | keyof RoleDeps
>

/** Who an import acts for, with the rights of this moment. */
export type ImportActor = Pick<Actor, 'userId' | 'permissions' | 'origin'> & Welcoming

export interface ImportOptions {
  onboardingMethod: 'magic_link' | 'none'
  origin: Actor['origin']
  /** What the caller might do when it was started (an API token less than who made it): the run never does more. */
  permissions: string[]
}
