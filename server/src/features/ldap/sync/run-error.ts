/** Why a run failed as a whole, other than errors of the directory server (`LdapFailure`) and rejections (`AppError`). */
export class RunError extends Error {
  override readonly name = 'RunError'
  constructor(
    readonly code: 'empty_result' | 'leavers_unconfirmed' | 'too_long' | 'too_slow' | 'incomplete',
    message: string,
  ) {
    super(message)
  }
}
