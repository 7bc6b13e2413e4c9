/**
 * The steps that all rules of one token may take together. A step is one instruction of a pattern on one character. Each search is charged
 * its worst case, so the result never depends on the speed of the machine.
 */
export interface WorkBudget {
  /** Takes the steps of one search; returns false and takes none if too few are left. */
  take(steps: number): boolean
}

/** At most about 30 ms on the slowest machines. */
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
