/**
 * Permissions: the table of roles and permissions, and the permission check of every route.
 *
 * In this module: the names of roles and permissions, `authorize`. Not here: the roles of members (members), attribute-based decisions about
 * resources of applications (policies).
 * Tables: none. Errors: role_protected, session_required, team_sign_in_required, password_change_required, mfa_enrollment_required,
 * second_factor_required. Audit: none (the web server writes `access.denied` for every 403).
 */
import type { ListedRoute } from '../../platform/http/route.js'
import type { Module } from '../../platform/module.js'
import { ACCESS_ERRORS } from './errors.js'
import { accessRoutes } from './routes.js'

export {
  authorize,
  INSTANCE_PERMISSION,
  knowsPermission,
  RESTRICTION_CODES,
  requirePermission,
  requireRoleWithin,
  requireSession,
} from './authorize.js'
export { rejection as permissionError } from './errors.js'
export { requireAccountFactor, teamLimitOf } from './require-account-factor.js'
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

/** @param listRoutes returns every route of the service */
export const createPermissions = ({ listRoutes }: { listRoutes: () => ListedRoute[] }): Module => ({
  routes: accessRoutes(listRoutes),
  errors: ACCESS_ERRORS,
})
