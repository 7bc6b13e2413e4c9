/** The test sign-in that this tab started. */
const key = 'keyward.sso.test'

interface PendingTest {
  runId: string
  slug: string
}

export function storePendingTest(pending: PendingTest) {
  try {
    sessionStorage.setItem(key, JSON.stringify(pending))
  } catch {
    // The callback page then searches the teams of the user for the provider.
  }
}

/** Returns the team of a test if this tab started it. */
export function teamOfTest(runId: string): string | undefined {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingTest | null
    return pending?.runId === runId ? pending.slug : undefined
  } catch {
    return undefined
  }
}
