import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SAML_KEY_ERRORS = {
  saml_key_not_found: {
    status: 404,
    title: 'No such SAML key',
    explain: 'There is no such key here, or it has ended.',
  },
  saml_key_waits: {
    status: 409,
    title: 'A next key is there already',
    explain: 'Its certificate is published. Activate it when the other side has it, or delete it and make another.',
  },
  saml_key_not_waiting: {
    status: 409,
    title: 'This key is not the next one',
    explain: 'Only a key that was made as the next one can be activated; one that signed before does not come back.',
  },
  saml_key_signs: {
    status: 409,
    title: 'This key signs',
    explain: 'Make the next key and activate it first; then the one before can be deleted.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SAML_KEY_ERRORS)
