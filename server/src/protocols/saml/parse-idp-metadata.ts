import {
  type Entity,
  isWarning,
  type MetadataProblem,
  type MetadataQuestion,
  type ParsedMetadata,
  readEntity,
  type Service,
  servicesOf,
} from './read-entity.js'
import { isFlag } from './xml-tree.js'

/** What an identity provider says of itself (Metadata 2.4.3). */
export interface IdpMetadata extends Entity {
  ssoServices: Service[]
  wantAuthnRequestsSigned: boolean
  /** What of it was passed over. */
  warnings: MetadataProblem[]
}

/** Reads the metadata of an external identity provider; every problem is named. Never throws, whatever the text is. */
export function parseIdpMetadata(text: string, question: MetadataQuestion): ParsedMetadata<IdpMetadata> {
  const found = readEntity(text, 'IDPSSODescriptor', question)
  if (!('role' in found)) return found
  const { role, problems, ...entity } = found
  const ssoServices = servicesOf(role, 'SingleSignOnService', problems)
  if (ssoServices.length === 0)
    problems.push({
      id: 'no_service',
      detail: 'there is no address to send requests to by the redirect or POST binding',
    })
  if (entity.signingCertificates.length === 0)
    problems.push({ id: 'no_certificate', detail: 'there is no certificate to verify signatures by' })
  if (!problems.every(isWarning)) return { problems }
  const wantAuthnRequestsSigned = isFlag(role, 'WantAuthnRequestsSigned')
  return { metadata: { ...entity, ssoServices, wantAuthnRequestsSigned, warnings: problems } }
}
