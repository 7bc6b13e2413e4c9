import { AppError } from '../../platform/app-error.js'
import { rejection } from '../../platform/errors.js'
import type { Route } from '../../platform/http/route.js'
import { scimError } from '../../platform/http/scim-dialect.js'
import { ScimFault, type ScimType } from '../../protocols/scim/index.js'

/** What refusals of other rooms are called in SCIM; those that it has no name for keep their status and say what they say. */
const NAMES: Record<string, ScimType> = {
  external_id_taken: 'uniqueness',
  address_taken: 'uniqueness',
  group_name_taken: 'uniqueness',
  user_not_managed: 'mutability',
}

function inScim(error: unknown): unknown {
  if (error instanceof ScimFault) {
    const { scimType, status, detail } = error
    if (scimType) return scimError(scimType, { status, detail })
    return status === 404 ? rejection('not_found', { detail }) : error
  }
  if (!(error instanceof AppError)) return error
  const name = NAMES[error.code]
  return name ? scimError(name, { detail: error.detail ?? error.title }) : error
}

/** A route whose refusals are said in the words of SCIM (RFC 7644 3.12). */
export const speakScim = (route: Route): Route => ({
  ...route,
  async handle(context) {
    try {
      return await route.handle(context)
    } catch (error) {
      throw inScim(error)
    }
  },
})
