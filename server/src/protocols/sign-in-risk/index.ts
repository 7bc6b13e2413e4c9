/**
 * Risk of a sign-in: a score of 0 to 100 with reasons, computed from attributes of the sign-in and of earlier ones of the account. Pure:
 * the caller supplies all attributes, including the time.
 */
export { assessRisk, type PastSignIn, type Risk, type SignInFacts } from './assess-risk.js'
export { networkOf } from './network.js'
export { CHALLENGE_FROM, RISK_REASONS, type RiskReason } from './risk-reasons.js'
