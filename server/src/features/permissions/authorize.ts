import { rejection as platformError } from '../../platform/errors.js'
import type { Actor, Restriction, SessionActor } from '../../platform/http/actor.js'
import { rejection } from './errors.js'
import { requireAccountFactor } from './require-account-factor.js'
import { PERMISSIONS, permissionsOf } from './roles.js'

/** Held by instance administrators, regardless of their roles in teams. */
export const INSTANCE_PERMISSION = 'instance:update'

export const knowsPermission = (permission: string): boolean =>
  permission === INSTANCE_PERMISSION || (PERMISSIONS as readonly string[]).includes(permission)

/** The error code for each restriction of a session. */
export const RESTRICTION_CODES = {
  password_change: 'password_change_required',
  team_password_change: 'password_change_required',
  mfa_enrollment: 'mfa_enrollment_required',
  team_mfa_enrollment: 'mfa_enrollment_required',
  team_sign_in: 'team_sign_in_required',
} as const satisfies Record<Restriction, string>

/**
 * The only permission check, before a route's use case.
 * @throws forbidden, session_required, team_sign_in_required, password_change_required, mfa_enrollment_required or second_factor_required
 */
export function authorize(
  actor: Actor,
  permission: string,
  { allowedRestrictions, accountWide = false }: { allowedRestrictions: readonly Restriction[]; accountWide?: boolean },
): void {
  if (permission === 'signed-in' || permission === INSTANCE_PERMISSION) requireSession(actor)
  if (actor.via === 'session' && actor.restriction && !allowedRestrictions.includes(actor.restriction))
    throw rejection(RESTRICTION_CODES[actor.restriction])
  if (accountWide) requireAccountFactor(actor)
  if (permission === 'signed-in') return
  if (permission === INSTANCE_PERMISSION) {
    if (actor.instanceAdmin) return
    throw actor.restrictedToTeam
      ? rejection('team_sign_in_required')
      : platformError('forbidden', { detail: 'Only instance administrators can do this' })
  }
  requirePermission(actor, permission)
}

/** Requires one more permission than the route, for a part of its response or input. @throws forbidden */
export function requirePermission({ permissions }: Pick<Actor, 'permissions'>, permission: string): void {
  if (!permissions.has(permission))
    throw platformError('forbidden', { detail: `This requires the permission ${permission}` })
}

/** Rejects API tokens. @throws session_required */
export function requireSession(actor: Actor): asserts actor is SessionActor {
  if (actor.via !== 'session') throw rejection('session_required')
}

/**
 * Requires that the caller holds every permission of `role`: no user grants a higher role than their own, or manages a user with one.
 * @throws role_protected
 */
export function requireRoleWithin({ permissions }: Pick<Actor, 'permissions'>, role: string): void {
  for (const permission of permissionsOf(role))
    if (!permissions.has(permission))
      throw rejection('role_protected', {
        detail: `The role ${role} has the permission ${permission}, which you do not have`,
      })
}
