import type { ApiTokenId, TeamId, UserId } from './ids.js'

/**
 * The one error class for refusals. A room declares its codes in a table and refuses by one word; each dialect
 * (problem JSON now; OAuth, SCIM and SAML later) prints them in one place. Causes are logged, never sent.
 */
export interface ErrorSpec {
  status: number
  /** Public, short, the same for every occurrence (RFC 9457 `title`). */
  title: string
  /** What brought it about and what to do, for docs/errors.md. */
  explain: string
}
export type ErrorTable = Readonly<Record<string, ErrorSpec>>

export interface FieldError {
  /** JSON pointer into the request body, or `query/…`, `params/…`. */
  path: string
  message: string
  /** The rule that failed, where a page wants to tick it (password policy). */
  rule?: string
}

export interface ErrorOptions {
  /** Where this occurrence has another status than its code has elsewhere; the route declares `code:status`. */
  status?: number
  /** Public explanation of this occurrence. */
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  /** Further public members of the problem document, such as `retryAfter` or `limit`. */
  extra?: Record<string, unknown>
  /** The act has left its own audit entry: a 403 needs no second one. */
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
  /** What a browser is shown in place of a problem document. */
  page: { html: string; policy: string } | undefined
  /** Who was refused, where that is known before the request has an actor; for the audit entry. */
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

/** Makes the `refusal` of a room from its table of codes: `throw refusal('group_not_found')`. */
export const rejections =
  <T extends ErrorTable>(table: T) =>
  (code: keyof T & string, options?: ErrorOptions): AppError =>
    new AppError(code, table[code] as ErrorSpec, options)
