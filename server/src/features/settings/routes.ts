import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { INSTANCE_PERMISSION } from '../permissions/index.js'
import { PutConfig, PutSettings, presentSettings, Settings } from './schema.js'
import { currentSettings, type SettingsDeps, updateSettings } from './update-settings.js'

export const settingsRoutes = (deps: SettingsDeps): Route[] =>
  [
    { path: '/api/v1/settings', body: PutSettings, name: 'branding' },
    { path: '/api/v1/config', body: PutConfig, name: 'configuration' },
  ].flatMap(({ path, body, name }) => [
    defineRoute({
      method: 'GET',
      path,
      permission: 'org:read',
      tag: 'Instance settings',
      summary: 'Get the settings of the instance',
      responses: { 200: Settings },
      handle: async () => presentSettings(await currentSettings(deps)),
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: INSTANCE_PERMISSION,
      tag: 'Instance settings',
      summary: `Update the instance's ${name}; fields that are left out do not change`,
      body,
      responses: { 200: Settings },
      handle: async (context) =>
        presentSettings(await updateSettings(deps, context.actor, declaredFields(context.body, body))),
    }),
  ])
