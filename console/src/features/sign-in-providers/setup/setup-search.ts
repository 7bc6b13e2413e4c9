const STEPS = ['app', 'test', 'enable'] as const

/** Returns the step that the URL names; none for any other value. */
export function setupSearch({ step }: Record<string, unknown>): { step?: (typeof STEPS)[number] } {
  const known = STEPS.find((one) => one === step)
  return known ? { step: known } : {}
}
