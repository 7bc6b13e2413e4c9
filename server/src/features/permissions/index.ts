/**
 * Access: which role may do what. One table of roles and permissions, and the one check that every route goes through.
 *
 * Lives here: the names of roles and permissions, `authorize`. Not here: which role somebody has (members), attribute-based
 * decisions about an application's resources (policies).
 * Tables: none. Errors: role_protected, session_required, team_sign_in_required, password_change_required, mfa_enrollment_required,
 * second_factor_required.
 * Audit: none of its own (`access.denied` is written by the web server for every 403).
 */
export { requireAccountFactor, teamLimitOf } from './account-factor.js'
export { authorize, INSTANCE_PERMISSION, knowsPermission, RESTRICTION_CODES } from './authorize.js'
export { ACCESS_ERRORS, rejection as permissionError } from './errors.js'
export { requireSession } from './require-session.js'
export { requireRoleWithin } from './role-guard.js'
export {
  isTopRole,
  ORG_ROLES,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
  rolesShownAs,
  sessionRole,
  storedRole,
  type UserRole,
  userRole,
} from './roles.js'
export { accessRoutes } from './routes.js'
