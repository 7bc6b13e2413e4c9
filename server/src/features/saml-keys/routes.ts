import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { timestamp } from '../../platform/http/schema-parts.js'
import type { TeamId } from '../../platform/ids.js'
import { readCertificate } from '../../protocols/saml/index.js'
import {
  activateSamlKey,
  type ExchangeDeps,
  endSamlKey,
  type FindOwner,
  listSamlKeys,
  prepareSamlKey,
  type StoredSamlKey,
} from './exchange-keys.js'
import { findSamlOwner } from './owner.js'

const SamlKeyBody = Type.Object(
  {
    id: Type.String(),
    state: Type.Unsafe<StoredSamlKey['state']>({
      type: 'string',
      enum: ['next', 'active', 'retired'],
      description: '`active` signs, `next` is published but does not sign yet, `retired` is published until it expires',
    }),
    certificate: Type.String({ description: 'PEM' }),
    fingerprint: Type.String({ description: 'SHA-256 of the certificate, 64 hexadecimal digits' }),
    notAfter: timestamp('Expiry of the certificate'),
    createdAt: timestamp(),
    endsAt: Type.Optional(timestamp('When a retired key is deleted')),
  },
  { $id: 'SamlKey' },
)
const SamlKeyList = Type.Object({ data: Type.Array(SamlKeyBody) })
const ActivateKey = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'Deletes the previous key immediately, for one that may be compromised' }),
  ),
})
const EndedKey = Type.Object({ deleted: Type.Literal(true), id: Type.String() })

/** The private key is never returned. */
const presentSamlKey = (key: StoredSamlKey) => ({
  id: key.id,
  state: key.state,
  certificate: key.certificate,
  fingerprint: fingerprintOf(key.certificate),
  notAfter: key.notAfter.toISOString(),
  createdAt: key.createdAt.toISOString(),
  endsAt: key.endsAt?.toISOString(),
})

function fingerprintOf(pem: string): string {
  const read = readCertificate(pem)
  return 'violation' in read ? '' : read.fingerprint
}

/** A kind of owner: path and permissions of its endpoints, and how it is found. */
interface OwnerKind {
  path: string
  read: string
  write: string
  tag: 'Applications' | 'Single sign-on'
  whose: string
  params: { appId?: Type.TString }
  errors: string[]
  owner(teamId: TeamId, params: { appId?: string }): FindOwner
}

const OWNER_KINDS: OwnerKind[] = [
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

/** Endpoints for the rollover of keys, the same for both kinds of owner. */
export const samlKeyRoutes = (deps: ExchangeDeps): Route[] => OWNER_KINDS.flatMap((kind) => routesOf(deps, kind))

function routesOf(
  deps: ExchangeDeps,
  { path, read, write, tag, whose, params: at, errors, owner }: OwnerKind,
): Route[] {
  const params = Type.Object(at as { appId: Type.TString })
  const one = Type.Object({ ...(at as { appId: Type.TString }), keyId: Type.String() })
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: read,
      tag,
      summary: `List the SAML keys of ${whose}, the signing one first`,
      description: 'Includes keys that no longer sign but are still published.',
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
      summary: `Create the next SAML key of ${whose}`,
      description:
        'Its certificate is published in the metadata immediately, after the signing one. In a session, a recent sign-in is required.',
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
      summary: `Activate the next SAML key of ${whose}`,
      description:
        'The previous key stays in the metadata for 30 days, unless `immediately` deletes it. In a session, a recent sign-in is required.',
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
      summary: `Delete a SAML key of ${whose} that does not sign`,
      description:
        'It is removed from the metadata and no longer decrypts. In a session, a recent sign-in is required.',
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
