/** What makes a sign-in unusual, how much each counts, and in words. The weights sum to 100. */
export const RISK_REASONS = {
  new_device: { weight: 25, meaning: 'The account has not signed in with this browser before' },
  new_network: { weight: 15, meaning: 'The account has not signed in from this network before' },
  new_country: {
    weight: 20,
    meaning: 'The account has signed in from countries that are known, and never from this one',
  },
  impossible_travel: {
    weight: 25,
    meaning: 'Since the last sign-in from another country nobody could have come here, at 1,000 km an hour',
  },
  recent_failures: { weight: 15, meaning: 'Three or more sign-ins of the account have failed lately' },
} as const

export type RiskReason = keyof typeof RISK_REASONS

/** The score from which a second factor is asked for: any one of the heavy reasons, or two light ones. */
export const CHALLENGE_FROM = 25
