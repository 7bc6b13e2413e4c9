/** The reasons for risk, with their weights, which sum to 100. */
export const RISK_REASONS = {
  new_device: { weight: 25, meaning: 'The account has not signed in with this browser before' },
  new_network: { weight: 15, meaning: 'The account has not signed in from this network before' },
  new_country: {
    weight: 20,
    meaning: 'The account has earlier sign-ins from known countries, but none from this one',
  },
  impossible_travel: {
    weight: 25,
    meaning: 'The distance from the last sign-in in another country requires a speed above 1,000 km/h',
  },
  recent_failures: { weight: 15, meaning: 'Three or more recent sign-ins of the account failed' },
} as const

export type RiskReason = keyof typeof RISK_REASONS

/** The score that requires a second factor: one heavy reason, or two light ones. */
export const CHALLENGE_FROM = 25
