/**
 * Steps that rules may take together, while one token is made. A step is one instruction of a pattern on one character; an
 * unlucky search takes all of them, and it is charged as if it did: what a rule gives never depends on how fast the machine is.
 */
export interface WorkBudget {
  /** Takes the steps of one search; false, and takes nothing, when so many are not left. */
  take(steps: number): boolean
}

/** At worst some 30 ms on the slowest of machines. */
const STEPS = 1_000_000

export function createWorkBudget(steps = STEPS): WorkBudget {
  let left = steps
  return {
    take(wanted) {
      if (wanted > left) return false
      left -= wanted
      return true
    },
  }
}
