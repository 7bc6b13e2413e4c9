/** The test sign-in that this tab left for: whose provider it is of. */
const key = 'keyward.sso.test'

interface PendingTest {
  runId: string
  slug: string
}

export function keepPendingTest(pending: PendingTest) {
  try {
    sessionStorage.setItem(key, JSON.stringify(pending))
  } catch {
    // The report is found among the teams of whoever comes back.
  }
}

/** The team of the test, if this very tab left for it. */
export function teamOfTest(runId: string): string | undefined {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingTest | null
    return pending?.runId === runId ? pending.slug : undefined
  } catch {
    return undefined
  }
}
