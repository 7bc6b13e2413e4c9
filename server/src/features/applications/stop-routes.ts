import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { ApplicationDeps } from './deps.js'
import { ApplicationBody, presentApplication } from './schema.js'
import { startApplication, stopApplication } from './stop-application.js'

const params = Type.Object({ appId: Type.String() })

export const stopRoutes = (deps: ApplicationDeps): Route[] =>
  (
    [
      ['stop', stopApplication, 'Stop an application: revokes its tokens immediately and issues no more'],
      ['start', startApplication, 'Start a stopped application'],
    ] as const
  ).map(([act, run, summary]) =>
    defineRoute({
      method: 'POST',
      path: `/api/v1/applications/:appId/${act}`,
      permission: 'applications:write',
      tag: 'Applications',
      summary,
      params,
      responses: { 200: ApplicationBody },
      errors: ['application_not_found'],
      handle: async ({ actor, params }) => presentApplication(await run(deps, actor, params.appId), deps.clock.now()),
    }),
  )
