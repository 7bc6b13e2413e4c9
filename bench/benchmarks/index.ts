import type { Benchmark } from '../harness/benchmark.js'
import { auditFilters } from './audit-filters.js'
import { auditInsert } from './audit-insert.js'
import { auditLog } from './audit-log.js'
import { consolePages } from './console-pages.js'
import { evaluate } from './evaluate.js'
import { flood } from './flood.js'
import { groupReplace } from './group-replace.js'
import { hostileBodies } from './hostile-bodies.js'
import { ldap } from './ldap.js'
import { login } from './login.js'
import { oidc } from './oidc.js'
import { oidcCallback } from './oidc-callback.js'
import { refresh } from './refresh.js'
import { register } from './register.js'
import { saml } from './saml.js'
import { samlResponses } from './saml-responses.js'
import { scim } from './scim.js'
import { session } from './session.js'
import { start } from './start.js'
import { timing } from './timing.js'
import { userSearch } from './user-search.js'

/** The benchmarks, in the order of a full run. */
export const BENCHMARKS: Benchmark[] = [
  start,
  session,
  login,
  register,
  refresh,
  userSearch,
  groupReplace,
  oidc,
  oidcCallback,
  saml,
  samlResponses,
  scim,
  ldap,
  evaluate,
  auditInsert,
  auditLog,
  auditFilters,
  timing,
  hostileBodies,
  flood,
  consolePages,
]
