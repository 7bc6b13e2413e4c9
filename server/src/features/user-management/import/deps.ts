import type { Actor } from '../../../platform/http/actor.js'
import type { RoleDeps } from '../../members/index.js'
import type { UserDeps } from '../deps.js'
import type { WelcomeSender } from '../send-welcome.js'

export type ImportDeps = Pick<
  UserDeps,
  'db' | 'clock' | 'jobs' | 'config' | 'mailer' | 'verifiedDomains' | keyof RoleDeps
>

/** The user who started an import, with their current permissions. */
export type ImportActor = Pick<Actor, 'userId' | 'permissions' | 'origin'> & WelcomeSender

export interface ImportOptions {
  onboardingMethod: 'magic_link' | 'none'
  origin: Actor['origin']
  /** The caller's permissions at the start (an API token may have fewer than its creator): the upper bound for the run. */
  permissions: string[]
}
