import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from './signed-in-route'

export const accountRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/account' })
