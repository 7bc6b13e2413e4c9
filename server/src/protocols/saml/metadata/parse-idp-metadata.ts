import { isFlag } from '../xml/xml-tree.js'
import {
  type Entity,
  isWarning,
  type MetadataOptions,
  type MetadataProblem,
  type ParsedMetadata,
  readEntity,
  type Service,
  servicesOf,
} from './read-entity.js'

/** The metadata of an identity provider (Metadata 2.4.3). */
export interface IdpMetadata extends Entity {
  ssoServices: Service[]
  wantAuthnRequestsSigned: boolean
  /** Ignored parts of the document. */
  warnings: MetadataProblem[]
}

/** Parses the metadata of an identity provider and reports every problem. Never throws. */
export function parseIdpMetadata(text: string, options: MetadataOptions): ParsedMetadata<IdpMetadata> {
  const found = readEntity(text, 'IDPSSODescriptor', options)
  if (!('role' in found)) return found
  const { role, problems, ...entity } = found
  const ssoServices = servicesOf(role, 'SingleSignOnService', problems)
  if (ssoServices.length === 0)
    problems.push({
      id: 'no_service',
      detail: 'there is no sign-in URL for the redirect or POST binding',
    })
  if (entity.signingCertificates.length === 0)
    problems.push({ id: 'no_certificate', detail: 'there is no signing certificate' })
  if (!problems.every(isWarning)) return { problems }
  const wantAuthnRequestsSigned = isFlag(role, 'WantAuthnRequestsSigned')
  return { metadata: { ...entity, ssoServices, wantAuthnRequestsSigned, warnings: problems } }
}
