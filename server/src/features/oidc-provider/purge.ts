import { anHourAfterExpiry, type RetentionRule } from '../../platform/db/retention.js'
import {
  deviceCodes,
  formResponses,
  interactions,
  oauthTokens,
  pendingLogouts,
  pushedRequests,
  revokedAccessTokens,
  usedProofs,
} from './tables.js'

/** Codes, refresh tokens, requests and proofs. */
export const OIDC_PROVIDER_RETENTION: RetentionRule[] = [
  oauthTokens,
  interactions,
  pendingLogouts,
  pushedRequests,
  revokedAccessTokens,
  usedProofs,
  deviceCodes,
  formResponses,
].map(anHourAfterExpiry)
