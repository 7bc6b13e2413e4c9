/** The reasons why a file is not valid (docs/concepts/audit-log.md). */
export type InvalidReason =
  | 'changed'
  | 'removed'
  | 'inserted'
  | 'reordered'
  | 'truncated'
  | 'checkpoint_mismatch'
  | 'signature_invalid'
  | 'key_unknown'
  | 'malformed'
  | 'unknown_format'
  | 'unknown_version'

/** The place of a violation in a file. */
export interface Place {
  /** From 1. */
  line?: number
  seal?: number
  /** The ID of the entry. */
  id?: string | undefined
}

/** A violation: the file is not valid, or cannot be verified. `message` is one sentence. */
export class InvalidFile extends Error {
  constructor(
    readonly reason: InvalidReason,
    message: string,
    readonly place: Place = {},
  ) {
    super(message)
    this.name = 'InvalidFile'
  }
}
