import { type ErrorTable, type FieldError, rejections } from '../../platform/app-error.js'
import { rejection as platformError } from '../../platform/errors.js'

export const OIDC_CONFIG_ERRORS = {
  scope_not_found: {
    status: 404,
    title: 'Scope not found',
    explain: 'The application has no such scope.',
  },
  scope_exists: {
    status: 409,
    title: 'A scope with this name already exists',
    explain:
      'The application already has a scope with exactly this name. Every application has openid, profile, email and offline_access.',
  },
  standard_scope: {
    status: 409,
    title: "A standard scope can't be renamed or deleted",
    explain:
      'You can change only the description of openid, profile, email and offline_access, and whether they are default scopes.',
  },
  claim_not_found: {
    status: 404,
    title: 'Claim not found',
    explain: 'The application has no such claim.',
  },
  claim_exists: {
    status: 409,
    title: 'A claim with this name already exists',
    explain: 'Two claims of an application can have the same name only if no token contains both.',
  },
  rule_not_found: {
    status: 404,
    title: 'Rule not found',
    explain: 'The application has no such rule.',
  },
  rule_in_use: {
    status: 409,
    title: 'A claim uses this rule',
    explain: 'First remove the rule from the claims in `detail`.',
  },
  signing_key_not_found: {
    status: 404,
    title: 'Signing key not found',
    explain: 'The application has no such key.',
  },
  kid_exists: {
    status: 409,
    title: 'A key with this kid already exists',
    explain:
      "Another key in the application's JWKS has this kid: one of the application, which may be retired, or one of the team.",
  },
  key_retired: {
    status: 409,
    title: 'This key is retired',
    explain:
      'A deleted key stays in the JWKS until its last token has expired, but cannot sign again. Generate or import another key.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(OIDC_CONFIG_ERRORS)

/** Returns the error for fields that no schema can validate. */
export const invalidFields = (...errors: FieldError[]) =>
  platformError('invalid_request', { detail: 'Some fields are missing or not valid', errors })
