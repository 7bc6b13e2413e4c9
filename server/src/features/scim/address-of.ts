import { AppError } from '../../platform/app-error.js'
import { normalizeEmail } from '../users/index.js'

/** The text as the address of an account; undefined where it is none. */
export function addressOf(text: string): string | undefined {
  try {
    return normalizeEmail(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
