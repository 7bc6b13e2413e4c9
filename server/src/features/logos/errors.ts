import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const LOGO_ERRORS = {
  logo_not_found: {
    status: 404,
    title: 'Logo not found',
    explain:
      'There is no logo, it has not been fetched yet, or its URL did not return a PNG, JPEG, GIF, WebP or SVG image of at most 256 kB.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(LOGO_ERRORS)
