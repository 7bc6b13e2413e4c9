import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const LOGO_ERRORS = {
  logo_not_found: {
    status: 404,
    title: 'No such logo',
    explain:
      'There is no logo, it has not been fetched yet, or what its URL returned is not a PNG, JPEG, GIF, WebP or SVG picture of at most 256 kB.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(LOGO_ERRORS)
