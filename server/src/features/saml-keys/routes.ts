import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { TeamId } from '../../platform/ids.js'
import {
  activateSamlKey,
  type ExchangeDeps,
  endSamlKey,
  type FindOwner,
  listSamlKeys,
  prepareSamlKey,
} from './exchange-keys.js'
import { findSamlOwner } from './owner.js'
import { ActivateKey, EndedKey, presentSamlKey, SamlKeyBody, SamlKeyList } from './schema.js'

/** One kind of owner: where its keys are, whose right it is, and how it is found. */
interface Place {
  path: string
  read: string
  write: string
  tag: 'Applications' | 'Single sign-on'
  whose: string
  params: { appId?: Type.TString }
  errors: string[]
  owner(teamId: TeamId, params: { appId?: string }): FindOwner
}

const PLACES: Place[] = [
  {
    path: '/api/v1/applications/:appId/saml/keys',
    read: 'applications:read',
    write: 'applications:write',
    tag: 'Applications',
    whose: "an application's identity provider",
    params: { appId: Type.String() },
    errors: ['application_not_found', 'application_not_saml'],
    owner:
      (teamId, { appId = '' }) =>
      (tx) =>
        findSamlOwner(tx, teamId, appId),
  },
  {
    path: '/api/v1/org/saml-keys',
    read: 'sso:read',
    write: 'sso:write',
    tag: 'Single sign-on',
    whose: 'the team as a service provider',
    params: {},
    errors: [],
    owner: (teamId) => async () => ({ teamId, applicationId: null }),
  },
]

/** The exchange of keys: the same for both kinds of owner. */
export const samlKeyRoutes = (deps: ExchangeDeps): Route[] => PLACES.flatMap((place) => routesOf(deps, place))

function routesOf(deps: ExchangeDeps, { path, read, write, tag, whose, params: at, errors, owner }: Place): Route[] {
  const params = Type.Object(at as { appId: Type.TString })
  const one = Type.Object({ ...(at as { appId: Type.TString }), keyId: Type.String() })
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: read,
      tag,
      summary: `The SAML keys of ${whose}, first the one that signs`,
      description: 'Those included that sign no more and are still published.',
      params,
      responses: { 200: SamlKeyList },
      errors,
      handle: async ({ actor, params }) => ({
        data: (await listSamlKeys(deps, actor, owner(actor.teamId, params))).map(presentSamlKey),
      }),
    }),
    defineRoute({
      method: 'POST',
      path,
      permission: write,
      tag,
      summary: `Make the next SAML key of ${whose}`,
      description:
        'Its certificate is in the metadata from now on, behind the one that signs. In a session it wants a recent sign-in.',
      params,
      responses: { 201: SamlKeyBody },
      errors: [...errors, 'saml_key_waits', 'reauthentication_required'],
      handle: async ({ actor, params }) =>
        presentSamlKey(await prepareSamlKey(deps, actor, owner(actor.teamId, params))),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:keyId/activate`,
      permission: write,
      tag,
      summary: `Let the next SAML key of ${whose} sign`,
      description:
        'The key before it stays in the metadata for 30 days, unless `immediately` ends it. In a session it wants a recent sign-in.',
      params: one,
      body: ActivateKey,
      responses: { 200: SamlKeyBody },
      errors: [...errors, 'saml_key_not_found', 'saml_key_not_waiting', 'reauthentication_required'],
      handle: async ({ actor, params, body }) => {
        const find = owner(actor.teamId, params)
        return presentSamlKey(await activateSamlKey(deps, actor, find, params.keyId, declaredFields(body, ActivateKey)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:keyId`,
      permission: write,
      tag,
      summary: `End a SAML key of ${whose} that does not sign`,
      description: 'It is in no metadata any more, and opens nothing. In a session it wants a recent sign-in.',
      params: one,
      responses: { 200: EndedKey },
      errors: [...errors, 'saml_key_not_found', 'saml_key_signs', 'reauthentication_required'],
      handle: async ({ actor, params }) => ({
        deleted: true,
        id: await endSamlKey(deps, actor, owner(actor.teamId, params), params.keyId),
      }),
    }),
  ]
}
