/** Faults of the service that are known, each with the rule that it breaks. An entry goes with the change that mends it. */
const KNOWN: RegExp[] = [
  // No team closes an account to its owner. A user who once entered the team, and then signs in without naming a team, is asked there for
  // a factor that the team enrolled in a session by its own temporary password, and gets no further.
  /^\(2\) a confirmed team asks the owner for a factor that the team itself enrolled$/,
]

export const isKnown = (fault: string): boolean => KNOWN.some((known) => known.test(fault))
