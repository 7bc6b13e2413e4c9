import { asProblem, Problem } from '../../api/problem'

/** What a request that is refused as a whole is answered with. */
const ofItsContent = [400, 422]

/**
 * A refusal of what the field `name` holds, said at that field, also where the service calls it otherwise or names none. For a request
 * that has nothing else in it. What is no refusal of the content stays what it is.
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
    // It stands alone there, as a sentence.
    errors: [{ path: `/${name}`, message: message.charAt(0).toUpperCase() + message.slice(1) }],
    ...(requestId !== undefined && { requestId }),
  })
}
