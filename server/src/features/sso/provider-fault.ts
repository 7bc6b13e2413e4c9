import { type Check, shown } from '../../protocols/id-token/index.js'

/** Something that a provider answered, or did not, so that a sign-in cannot go on; in words for its administrators. */
export class ProviderFault extends Error {
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
