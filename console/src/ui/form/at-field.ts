import { asProblem, Problem } from '../../api/problem'

/** Statuses of a request that is rejected as a whole. */
const ofItsContent = [400, 422]

/**
 * Shows the rejection of a request at its only field `name`, also if the service reports another field or none. Other errors are
 * unchanged.
 */
export function atField(thrown: unknown, name: string): Problem {
  const problem = asProblem(thrown)
  if (!ofItsContent.includes(problem.status)) return problem
  const message = problem.errors.map((error) => error.message).join(' ') || problem.message
  const { status, code, requestId } = problem
  return new Problem({
    status,
    code,
    detail: problem.message,
    // A sentence of its own.
    errors: [{ path: `/${name}`, message: message.charAt(0).toUpperCase() + message.slice(1) }],
    ...(requestId !== undefined && { requestId }),
  })
}
