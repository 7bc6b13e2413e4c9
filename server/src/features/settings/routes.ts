import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { INSTANCE_PERMISSION } from '../permissions/index.js'
import { currentSettings } from './queries.js'
import { PutConfig, PutSettings, presentSettings, Settings } from './schema.js'
import { type SettingsDeps, updateSettings } from './update-settings.js'

export const settingsRoutes = (deps: SettingsDeps): Route[] =>
  [
    { path: '/api/v1/settings', body: PutSettings, what: 'branding' },
    { path: '/api/v1/config', body: PutConfig, what: 'configuration' },
  ].flatMap(({ path, body, what }) => [
    defineRoute({
      method: 'GET',
      path,
      permission: 'org:read',
      tag: 'Instance settings',
      summary: 'The settings of the instance',
      responses: { 200: Settings },
      handle: async () => presentSettings(await currentSettings(deps)),
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: INSTANCE_PERMISSION,
      tag: 'Instance settings',
      summary: `Change the instance's ${what}; only what is given changes`,
      body,
      responses: { 200: Settings },
      handle: async (context) =>
        presentSettings(await updateSettings(deps, context.actor, declaredFields(context.body, body))),
    }),
  ])
