/**
 * Applications: the OpenID Connect clients and SAML service providers of a team, with their secrets and assignments.
 *
 * Here: the registration, `secrets`, the `assignment` of users and groups. Not here: sign-in to an application (oidc-provider,
 * saml-provider); its scopes, claims, keys and lifetimes (oidc-config).
 * Owns: applications, application_users, application_groups. Errors: application_not_found, no_client_secret, application_not_oidc,
 * application_not_saml. Audit: application.created, .updated, .deleted, .stopped, .started, .secret_rotated, .previous_secret_ended,
 * .registration_token_ended, .users_assigned, .groups_assigned, group.applications_replaced, user.applications_replaced.
 */
export {
  applicationsOfUser,
  type InheritedApplication,
  inheritedApplicationsOf,
  type NamedApplication,
} from './assignment/assignee-repository.js'
export { groupAssignmentRoutes } from './assignment/group-routes.js'
export { replaceApplicationsOfUser } from './assignment/replace-applications-of-user.js'
export { addApplication } from './create-application.js'
export { removeApplication } from './delete-application.js'
export { APPLICATION_ERRORS, rejection as applicationError } from './errors.js'
export { countChange, lockApplication, removeScope } from './lock-application.js'
export { type Application, newRegistration, type Registration, usesSecret } from './registration/registration.js'
export { applicationNames, findApplication } from './repository.js'
export { applicationRoutes } from './routes.js'
export { CreateApplication, presentApplication } from './schema.js'
export { endApplicationSecrets } from './secrets/end-secrets-of-team.js'
export { hasTokenCreator, orphanRegistrationTokensOf } from './secrets/registration-token.js'
export { stopRoutes } from './stop-routes.js'
export { applicationGroups, applications, applicationUsers } from './tables.js'
export { changeApplication } from './update-application.js'
