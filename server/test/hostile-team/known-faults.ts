/** Faults of the service that are known, each with the rule that it breaks. An entry goes with the change that mends it. */
const KNOWN: RegExp[] = []

export const isKnown = (fault: string): boolean => KNOWN.some((known) => known.test(fault))
