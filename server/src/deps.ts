import { createAuditRecorder } from './features/audit/index.js'
import { isBlocked } from './features/members/index.js'
import { createSigningKeyStore } from './features/oidc-config/index.js'
import { loadCommonPasswords } from './features/passwords/index.js'
import { createPolicySets, createSignOnDecision } from './features/policies/index.js'
import { createSamlKeyStore } from './features/saml-keys/index.js'
import { createSessionTokens } from './features/sessions/index.js'
import { readSettings } from './features/settings/index.js'
import { queueKeyOf } from './features/teams/index.js'
import { createPlatform, type PlatformParts } from './platform/platform.js'
import { createPorts } from './ports.js'

export type Deps = Awaited<ReturnType<typeof createDeps>>

/** Creates what several modules use: the platform, the stores and recorders that they share, and the ports. */
export async function createDeps(parts: PlatformParts) {
  const platform = await createPlatform(parts, { brandOf: (tx) => readSettings(tx), isBlocked, queueKeyOf })
  const { config, clock, keys } = platform
  const audit = createAuditRecorder(platform)
  const policySets = createPolicySets(platform)
  const shared = {
    ...platform,
    audit,
    tokens: createSessionTokens({ keys, clock, baseUrl: config.baseUrl }),
    limits: { maxMembers: config.maxMembers, maxApplications: config.maxApplications },
    commonPasswords: await loadCommonPasswords(config.commonPasswords),
    policySets,
    decideSignOn: createSignOnDecision(policySets),
    signingKeys: createSigningKeyStore({ ...platform, audit }),
    samlKeys: createSamlKeyStore({ ...platform, audit }),
  }
  return { ...shared, ...createPorts(shared) }
}
