export interface FieldProblem {
  /** JSON pointer of the field in the request, such as `/password` */
  path: string
  message: string
  rule?: string
}

interface ProblemBody {
  status?: number
  code?: string
  title?: string
  detail?: string
  requestId?: string
  errors?: FieldProblem[]
  retryAfter?: number
}

/** An error of the service (RFC 9457 problem JSON), or no response (`code` is then `unreachable`). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly errors: FieldProblem[]
  /** seconds until the next attempt */
  readonly retryAfter: number | undefined

  constructor(body: ProblemBody) {
    super(body.detail ?? body.title ?? body.code ?? 'The service rejected the request.')
    this.name = 'Problem'
    this.status = body.status ?? 0
    this.code = body.code ?? 'unexpected'
    this.requestId = body.requestId
    this.errors = body.errors ?? []
    this.retryAfter = body.retryAfter
  }
}

export function unreachable() {
  return new Problem({ code: 'unreachable' })
}

/** The session has ended, and the user did not sign in again. */
export function sessionEnded() {
  return new Problem({ code: 'session_ended', status: 401 })
}

/** Reads an error response. A proxy may respond with HTML: then only the status is known. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => ({}))) as ProblemBody
  const header = Number(answer.headers.get('retry-after'))
  const retryAfter = body.retryAfter ?? (header > 0 ? header : undefined)
  return new Problem({ ...body, status: answer.status, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

/** Returns anything thrown by a call as a Problem. Other values are defects of the console and get the code `unexpected`. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem({ code: 'unexpected', detail: String(thrown) })
}
