import type { Route } from '../../platform/http/route.js'
import type { AccountDeps } from './deps.js'
import { invitationRoutes } from './invitations/routes.js'
import { onboardingRoutes } from './onboarding/routes.js'
import { passwordRoutes } from './own-account/routes.js'
import { recoveryRoutes } from './recovery/routes.js'
import { registrationRoutes } from './registration/routes.js'
import { signInRoutes } from './sign-in/routes.js'

export const accountRoutes = (deps: AccountDeps): Route[] => [
  ...registrationRoutes(deps),
  ...signInRoutes(deps),
  ...recoveryRoutes(deps),
  ...passwordRoutes(deps),
  ...onboardingRoutes(deps),
  ...invitationRoutes(deps),
]
