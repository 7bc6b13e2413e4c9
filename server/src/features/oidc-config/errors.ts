import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const OIDC_CONFIG_ERRORS = {
  scope_not_found: {
    status: 404,
    title: 'No such scope',
    explain: 'The application has no such scope.',
  },
  scope_exists: {
    status: 409,
    title: 'A scope of this name exists',
    explain:
      'The application has a scope of exactly this name; every application has openid, profile, email and offline_access.',
  },
  standard_scope: {
    status: 409,
    title: 'This is one of the standard scopes',
    explain:
      'openid, profile, email and offline_access keep their names and are not deleted. Their description and whether they are given where none is asked for can change.',
  },
  claim_not_found: {
    status: 404,
    title: 'No such claim',
    explain: 'The application has no such claim.',
  },
  claim_exists: {
    status: 409,
    title: 'A claim of this name exists',
    explain: 'A token has one claim of a name. Two of the application may share a name only when no token gets both.',
  },
  rule_not_found: {
    status: 404,
    title: 'No such rule',
    explain: 'The application has no such rule.',
  },
  rule_in_use: {
    status: 409,
    title: 'A claim uses this rule',
    explain: 'Take the rule away from the claims that `detail` names first.',
  },
  signing_key_not_found: {
    status: 404,
    title: 'No such signing key',
    explain: 'The application has no such key.',
  },
  kid_exists: {
    status: 409,
    title: 'A key of this kid exists',
    explain:
      "The kid is taken by another key in the application's JWKS: one of its own (also one that signs no more but still verifies) or one of the team's.",
  },
  key_retired: {
    status: 409,
    title: 'This key signs nothing any more',
    explain:
      'A key that was deleted only verifies until its last token has ended, and cannot come back. Make or import another.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(OIDC_CONFIG_ERRORS)
