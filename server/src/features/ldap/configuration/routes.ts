import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { DirectoryDeps } from '../model/deps.js'
import { deleteDirectory, findDirectory, saveDirectory } from './manage-directory.js'
import { DirectoryBody, DirectoryTestBody, presentDirectory, requestedSettings, SaveDirectory } from './schema.js'
import { testDirectory } from './test-directory.js'

const config = { path: '/api/v1/directory/ldap/config', tag: 'Directories' } as const

export const configurationRoutes = (deps: DirectoryDeps): Route[] => [
  defineRoute({
    ...config,
    method: 'GET',
    permission: 'directory:read',
    summary: "Get the team's LDAP directory",
    description: 'Returns null if there is none. The bind password is masked and can never be read.',
    responses: { 200: Type.Union([DirectoryBody, Type.Null()]) },
    handle: async ({ actor, http }) => {
      const directory = await findDirectory(deps, actor)
      http.setHeader('content-type', 'application/json; charset=utf-8')
      return directory ? presentDirectory(directory) : 'null'
    },
  }),
  defineRoute({
    ...config,
    method: 'POST',
    permission: 'directory:write',
    summary: "Create or update the team's LDAP directory",
    description:
      'Fields that are left out do not change. A new directory requires the URL, base DN, bind DN and bind password. Most fields have a long and a short name, for example `ldapUrl` and `url`. The caller becomes the last editor, with whose permissions the directory acts. A running sync is aborted.',
    body: SaveDirectory,
    responses: { 200: DirectoryBody, 201: DirectoryBody },
    handle: async ({ actor, body, http }) => {
      const { directory, isNew } = await saveDirectory(deps, actor, requestedSettings(body))
      if (isNew) http.status(201)
      return presentDirectory(directory)
    },
  }),
  defineRoute({
    ...config,
    method: 'DELETE',
    permission: 'directory:write',
    summary: "Delete the team's LDAP directory",
    description: 'Imported users and groups remain. Users can no longer sign in with the directory.',
    responses: { 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) },
    errors: ['directory_not_found'],
    handle: async ({ actor }) => {
      await deleteDirectory(deps, actor)
      return { success: true, message: 'The directory was deleted' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/directory/ldap/test',
    permission: 'directory:write',
    tag: 'Directories',
    summary: 'Test the directory without changing anything',
    description:
      'Tests the saved configuration, overridden by the fields of the body, which are not saved. Each failed check contains a suggested fix.',
    body: SaveDirectory,
    responses: { 200: DirectoryTestBody },
    errors: ['directory_not_found'],
    handle: async ({ actor, body }) => testDirectory(deps, actor, requestedSettings(body)),
  }),
]
