/**
 * Applications: what a team has registered to sign its people in: OpenID Connect clients and SAML service providers, with their
 * secrets, and who may use them.
 *
 * Lives here: the registration, its secret, the assignment of users and groups. Not here: signing somebody in to one
 * (oidc-provider, saml-provider), its scopes, claims, keys and lifetimes (oidc-config).
 * Tables: applications, application_users, application_groups. Errors: application_not_found, no_client_secret.
 * Audit: application.created, application.updated, application.deleted, application.secret_rotated, application.previous_secret_ended,
 * application.registration_token_ended, application.users_assigned, application.groups_assigned, group.applications_replaced, user.applications_replaced.
 */
export { applicationNames } from './application-names.js'
export {
  applicationsOfUser,
  type InheritedApplication,
  inheritedApplicationsOf,
  type NamedApplication,
} from './assignee-repository.js'
export { addApplication } from './create-application.js'
export { removeApplication } from './delete-application.js'
export { endApplicationSecrets } from './end-secrets-of-team.js'
export { APPLICATION_ERRORS, rejection as applicationError } from './errors.js'
export { groupAssignmentRoutes } from './group-assignment-routes.js'
export { countChange, lockApplication, removeScope } from './lock-application.js'
export { type Application, newRegistration, type Registration, usesSecret } from './registration.js'
export { hasTokenCreator, orphanRegistrationTokensOf } from './registration-token.js'
export { replaceApplicationsOfUser } from './replace-applications-of-user.js'
export { findApplication } from './repository.js'
export { applicationRoutes } from './routes.js'
export { CreateApplication, presentApplication } from './schema.js'
export { stopRoutes } from './stop-routes.js'
export { applicationGroups, applications, applicationUsers } from './tables.js'
export { changeApplication } from './update-application.js'
