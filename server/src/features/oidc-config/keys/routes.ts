import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { APPLICATION_ERRORS, CONFIG, listRoute, TAG, WRITE } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { generateSigningKey, importSigningKey } from './add-signing-key.js'
import { deleteSigningKey, updateSigningKey } from './change-signing-key.js'
import { listTeamKeys, rotateTeamKey } from './rotate-team-key.js'
import {
  DeletedKey,
  DeleteKeyQuery,
  GenerateKey,
  ImportKey,
  KeyBody,
  Keys,
  presentKey,
  RotateTeamKey,
  UpdateKey,
} from './schema.js'

const one = Type.Object({ appId: Type.String(), keyId: Type.String() })
const ALL = `${CONFIG}/signing-keys`
const ONE = `${ALL}/:keyId`
const TEAM = '/api/v1/org/signing-keys'
const NEW_KEY_ERRORS = [...APPLICATION_ERRORS, 'kid_exists', 'limit_reached', 'reauthentication_required'] as const

export const keyRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    ...WRITE,
    method: 'POST',
    path: ALL,
    summary: 'Import a signing key',
    description: 'The private key is encrypted immediately and never returned. A session needs a recent sign-in.',
    body: ImportKey,
    responses: { 201: KeyBody },
    errors: NEW_KEY_ERRORS,
    handle: async ({ actor, params, body }) =>
      presentKey(await importSigningKey(deps, actor, params.appId, declaredFields(body, ImportKey))),
  }),
  listRoute(deps, {
    path: ALL,
    summary: 'List the signing keys of an application, newest first',
    description: 'Includes retired keys that still verify. Without a default key, the key of the team signs.',
    item: KeyBody,
    select: ({ signingKeys }) => signingKeys.map(presentKey),
  }),
  defineRoute({
    ...WRITE,
    method: 'POST',
    path: `${ALL}/generate`,
    summary: 'Generate a signing key',
    description: 'The private key never leaves the service. A session needs a recent sign-in.',
    body: GenerateKey,
    responses: { 201: KeyBody },
    errors: NEW_KEY_ERRORS,
    handle: async ({ actor, params, body }) =>
      presentKey(await generateSigningKey(deps, actor, params.appId, declaredFields(body, GenerateKey))),
  }),
  defineRoute({
    ...WRITE,
    method: 'PUT',
    path: ONE,
    summary: 'Change the usage of a signing key',
    description: 'A session needs a recent sign-in.',
    params: one,
    body: UpdateKey,
    responses: { 200: KeyBody },
    errors: [...APPLICATION_ERRORS, 'signing_key_not_found', 'key_retired', 'reauthentication_required'],
    handle: async ({ actor, params, body }) =>
      presentKey(await updateSigningKey(deps, actor, params.appId, params.keyId, declaredFields(body, UpdateKey))),
  }),
  defineRoute({
    ...WRITE,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a signing key',
    description:
      'The key signs no more tokens, and stays in the JWKS until the last token that it signed has expired (`publishedUntil`).',
    params: one,
    query: DeleteKeyQuery,
    responses: { 200: DeletedKey },
    errors: [...APPLICATION_ERRORS, 'signing_key_not_found', 'reauthentication_required'],
    handle: async ({ actor, params, query }) => {
      const { id, publishedUntil } = await deleteSigningKey(deps, actor, params.appId, params.keyId, query)
      return { deleted: true, id, publishedUntil: publishedUntil?.toISOString() }
    },
  }),
  defineRoute({
    method: 'GET',
    path: TEAM,
    permission: 'oidc-config:read',
    tag: TAG,
    summary: 'List the signing keys of the team, newest first',
    responses: { 200: Keys },
    handle: async ({ actor }) => ({ data: (await listTeamKeys(deps, actor)).map(presentKey) }),
  }),
  defineRoute({
    method: 'POST',
    path: `${TEAM}/rotate`,
    permission: 'oidc-config:write',
    tag: TAG,
    summary: "Rotate the team's signing key",
    description:
      'A new RS256 key signs. The previous key stays in the JWKS until the last token that it signed has expired; with `immediately`, it is removed. A session needs a recent sign-in.',
    body: RotateTeamKey,
    responses: { 201: KeyBody },
    errors: ['limit_reached', 'reauthentication_required'],
    handle: async ({ actor, body }) =>
      presentKey(await rotateTeamKey(deps, actor, declaredFields(body, RotateTeamKey))),
  }),
]
