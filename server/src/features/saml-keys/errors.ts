import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SAML_KEY_ERRORS = {
  saml_key_not_found: {
    status: 404,
    title: 'SAML key not found',
    explain: 'There is no key with this ID, or it has been deleted.',
  },
  saml_key_waits: {
    status: 409,
    title: 'A next key exists already',
    explain: 'Its certificate is published. Activate it when the peer has it, or delete it and create another one.',
  },
  saml_key_not_waiting: {
    status: 409,
    title: 'This key is not the next one',
    explain: 'Only a key in the state `next` can be activated. A key that signed before cannot be reactivated.',
  },
  saml_key_signs: {
    status: 409,
    title: 'The signing key cannot be deleted',
    explain: 'Create the next key and activate it first. Then delete this one.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SAML_KEY_ERRORS)
