import type { ApiTokenId, TeamId, UserId } from './ids.js'

/**
 * The error class of every rejected request. A module declares its codes in a table and throws by code; each dialect
 * (problem JSON, OAuth, SCIM) prints them in one place. Causes are logged, never sent.
 */
export interface ErrorSpec {
  status: number
  /** Public, short, the same for every occurrence (RFC 9457 `title`). */
  title: string
  /** The cause and what to do, for the reference of error codes. */
  explain: string
}
export type ErrorTable = Readonly<Record<string, ErrorSpec>>

export interface FieldError {
  /** JSON pointer into the request body, or `query/…` or `params/…`. */
  path: string
  message: string
  /** The rule that failed, so that a page can mark it (password policy). */
  rule?: string
}

export interface ErrorOptions {
  /** Overrides the status of the code for this occurrence; the route declares `code:status`. */
  status?: number
  /** Public explanation of this occurrence. */
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  /** Further public members of the problem document, such as `retryAfter` or `limit`. */
  extra?: Record<string, unknown>
  /** The use case has recorded its own audit entry, so a 403 adds no second one. */
  recorded?: boolean
  cause?: unknown
}

export class AppError extends Error {
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>
  readonly extra: Record<string, unknown>
  recorded: boolean
  /** Sent to a browser instead of a problem document. */
  page: { html: string; policy: string } | undefined
  /** The caller, if it is known before the request has an actor; for the audit entry. */
  caller: { userId: UserId; teamId: TeamId; apiTokenId?: ApiTokenId } | undefined

  constructor(
    readonly code: string,
    spec: ErrorSpec,
    options: ErrorOptions = {},
  ) {
    super(options.detail ?? spec.title, { cause: options.cause })
    this.name = 'AppError'
    this.status = options.status ?? spec.status
    this.title = spec.title
    this.detail = options.detail
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.extra = options.extra ?? {}
    this.recorded = options.recorded ?? false
  }
}

/** Creates the error function of a module from its table of codes: `throw groupError('group_not_found')`. */
export const rejections =
  <T extends ErrorTable>(table: T) =>
  (code: keyof T & string, options?: ErrorOptions): AppError =>
    new AppError(code, table[code] as ErrorSpec, options)

/** Returns a handler for `catch` that resolves to undefined for an error with this code, and throws every other one. */
export const undefinedOn = (code: string) => (error: unknown) => {
  if (error instanceof AppError && error.code === code) return undefined
  throw error
}
