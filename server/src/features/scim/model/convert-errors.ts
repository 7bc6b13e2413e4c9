import { AppError } from '../../../platform/app-error.js'
import { rejection } from '../../../platform/errors.js'
import type { Route } from '../../../platform/http/route.js'
import { ScimError, type ScimType } from '../../../protocols/scim/index.js'
import { scimError } from './scim-dialect.js'

/** The SCIM error types of errors of other modules. Errors without a type keep their status and message. */
const NAMES: Record<string, ScimType> = {
  external_id_taken: 'uniqueness',
  address_taken: 'uniqueness',
  group_name_taken: 'uniqueness',
  user_not_managed: 'mutability',
}

function toScimError(error: unknown): unknown {
  if (error instanceof ScimError) {
    const { scimType, status, detail } = error
    if (scimType) return scimError(scimType, { status, detail })
    return status === 404 ? rejection('not_found', { detail }) : error
  }
  if (!(error instanceof AppError)) return error
  const name = NAMES[error.code]
  return name ? scimError(name, { detail: error.detail ?? error.title }) : error
}

/** Wraps a route so that its errors are SCIM errors (RFC 7644 section 3.12). */
export const withScimErrors = (route: Route): Route => ({
  ...route,
  async handle(context) {
    try {
      return await route.handle(context)
    } catch (error) {
      throw toScimError(error)
    }
  },
})
