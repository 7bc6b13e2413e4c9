import { type Check, shown } from '../../../protocols/id-token/index.js'

/** An invalid response of a provider, or none, that stops a sign-in. The message is for administrators. */
export class ProviderError extends Error {
  override readonly name = 'ProviderFault'
  readonly check: Check

  constructor(id: string, detail: string, { expected, found }: { expected?: string; found?: unknown } = {}) {
    super(detail)
    this.check = {
      id,
      status: 'failed',
      detail,
      ...(expected !== undefined && { expected }),
      ...(found !== undefined && { found: shown(found) }),
    }
  }
}

/** Returns the error if it is a ProviderError, and rethrows any other. */
export function requireProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}
