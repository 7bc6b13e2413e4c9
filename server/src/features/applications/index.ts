/**
 * Applications: the OpenID Connect clients and SAML service providers of a team, with their secrets and assignments.
 *
 * In this module: the registration, `secrets`, the `assignment` of users and groups. Not here: sign-in to an application (oidc-provider,
 * saml-provider); its scopes, claims, keys and lifetimes (oidc-config).
 * Tables: applications, application_users, application_groups. Errors: application_not_found, no_client_secret, application_not_oidc,
 * application_not_saml. Audit: application.created, .updated, .deleted, .stopped, .started, .secret_rotated, .previous_secret_ended,
 * .registration_token_ended, .users_assigned, .groups_assigned, group.applications_replaced, user.applications_replaced.
 */
import type { Module } from '../../platform/module.js'
import { assignmentData } from './assignment/account-data.js'
import { APPLICATION_ERRORS } from './errors.js'
import type { ApplicationDeps } from './manage-applications.js'
import { applicationCertificateExpiry } from './registration/certificate-expiry.js'
import { applicationNames } from './repository.js'
import { applicationRoutes } from './routes.js'

export { applicationsOfUser, replaceApplicationsOfUser } from './assignment/assign-applications.js'
export { assigned, usersAssignedTo } from './assignment/assigned.js'
export {
  type InheritedApplication,
  inheritedApplicationsOf,
  MOVE_APPLICATION_USERS,
  type NamedApplication,
} from './assignment/assignee-repository.js'
export { rejection as applicationError } from './errors.js'
export { addApplication, changeApplication, removeApplication } from './manage-applications.js'
export { type Application, newRegistration, type Registration, usesSecret } from './registration/registration.js'
export { applicationNames, countChange, findApplication, lockApplication, removeScope } from './repository.js'
export { CreateApplication } from './schema.js'
export { endApplicationSecrets } from './secrets/manage-secrets.js'
export { hasTokenCreator, orphanRegistrationTokensOf } from './secrets/registration-token.js'
export { applications } from './tables.js'

export const createApplications = (deps: ApplicationDeps): Module => ({
  routes: applicationRoutes(deps),
  errors: APPLICATION_ERRORS,
  accountData: assignmentData(deps.db),
  labels: { application: applicationNames },
  expiries: [applicationCertificateExpiry(deps)],
})
