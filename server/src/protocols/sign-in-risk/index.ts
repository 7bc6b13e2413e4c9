/**
 * How unusual a sign-in is, by what is known of it and of earlier ones of its account: a score of 0 to 100 and the reasons. Pure: who
 * judges brings the facts, the time among them.
 */
export { assessRisk, type PastSignIn, type Risk, type SignInFacts } from './assess-risk.js'
export { networkOf } from './network.js'
export { CHALLENGE_FROM, RISK_REASONS, type RiskReason } from './risk-reasons.js'
