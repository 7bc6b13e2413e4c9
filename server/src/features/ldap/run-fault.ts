/** Why a reading of a directory failed as a whole, beside failures of the directory itself and refusals. */
export class RunFault extends Error {
  override readonly name = 'RunFault'
  constructor(
    readonly code: 'empty_result' | 'leavers_unconfirmed' | 'too_long' | 'too_slow' | 'incomplete',
    message: string,
  ) {
    super(message)
  }
}
