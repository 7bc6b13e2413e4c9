/**
 * Applications: the OpenID Connect clients and SAML service providers of a team, with their secrets and assignments.
 *
 * Here: the registration, `secrets`, the `assignment` of users and groups. Not here: sign-in to an application (oidc-provider,
 * saml-provider); its scopes, claims, keys and lifetimes (oidc-config).
 * Owns: applications, application_users, application_groups. Errors: application_not_found, no_client_secret, application_not_oidc,
 * application_not_saml. Audit: application.created, .updated, .deleted, .stopped, .started, .secret_rotated, .previous_secret_ended,
 * .registration_token_ended, .users_assigned, .groups_assigned, group.applications_replaced, user.applications_replaced.
 */
import type { Module } from '../../platform/module.js'
import { groupAssignmentRoutes } from './assignment/group-routes.js'
import type { UpdateDeps } from './deps.js'
import { APPLICATION_ERRORS } from './errors.js'
import { applicationNames } from './repository.js'
import { applicationRoutes } from './routes.js'
import { stopRoutes } from './stop-routes.js'

export {
  applicationsOfUser,
  type InheritedApplication,
  inheritedApplicationsOf,
  MOVE_APPLICATION_USERS,
  type NamedApplication,
} from './assignment/assignee-repository.js'
export { replaceApplicationsOfUser } from './assignment/replace-applications-of-user.js'
export { addApplication } from './create-application.js'
export { removeApplication } from './delete-application.js'
export { rejection as applicationError } from './errors.js'
export { countChange, lockApplication, removeScope } from './lock-application.js'
export { type Application, newRegistration, type Registration, usesSecret } from './registration/registration.js'
export { applicationNames, findApplication } from './repository.js'
export { CreateApplication, presentApplication } from './schema.js'
export { endApplicationSecrets } from './secrets/end-secrets-of-team.js'
export { hasTokenCreator, orphanRegistrationTokensOf } from './secrets/registration-token.js'
export { applicationGroups, applications, applicationUsers } from './tables.js'
export { changeApplication } from './update-application.js'

export const createApplications = (deps: UpdateDeps): Module => ({
  routes: [...applicationRoutes(deps), ...stopRoutes(deps), ...groupAssignmentRoutes(deps)],
  errors: APPLICATION_ERRORS,
  labels: { application: applicationNames },
})
