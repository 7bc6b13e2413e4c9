export interface FieldProblem {
  /** JSON pointer of the field in the request, as `/password` */
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

/** A refusal of the service (RFC 9457 problem JSON), or no answer at all (`code` is then `unreachable`). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly errors: FieldProblem[]
  /** seconds until another try makes sense */
  readonly retryAfter: number | undefined

  constructor(body: ProblemBody) {
    super(body.detail ?? body.title ?? body.code ?? 'The service refused the request.')
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

/** The session is over and the visitor did not sign in again. */
export function sessionEnded() {
  return new Problem({ code: 'session_ended', status: 401 })
}

/** Reads a refusal. A proxy in between may answer in HTML: then only the status is known. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => ({}))) as ProblemBody
  const header = Number(answer.headers.get('retry-after'))
  const retryAfter = body.retryAfter ?? (header > 0 ? header : undefined)
  return new Problem({ ...body, status: answer.status, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

/** Anything thrown by a call, as a Problem: what is not one already is a defect of ours and says so by its code. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem({ code: 'unexpected', detail: String(thrown) })
}
