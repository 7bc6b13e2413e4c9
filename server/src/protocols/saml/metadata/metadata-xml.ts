import { keyInfoXml } from '../crypto/sign-element.js'
import { attributesXml, escapeXml } from '../xml/escape-xml.js'
import { BINDINGS, NS } from '../xml/names.js'

/** Returns the document of an entity with one role (Metadata 2.3.2). */
export const entityXml = (entityId: string, role: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<md:EntityDescriptor xmlns:md="${NS.metadata}"${attributesXml({ entityID: entityId })}>${role}</md:EntityDescriptor>`

export const keysXml = (use: 'signing' | 'encryption', certificates: readonly string[]): string =>
  certificates.map((pem) => `<md:KeyDescriptor use="${use}">${keyInfoXml(pem)}</md:KeyDescriptor>`).join('')

/** Returns one URL for both bindings. */
export const servicesXml = (name: string, location: string | undefined): string =>
  location === undefined
    ? ''
    : [BINDINGS.redirect, BINDINGS.post]
        .map((binding) => `<md:${name}${attributesXml({ Binding: binding, Location: location })}/>`)
        .join('')

export const formatsXml = (formats: readonly string[]): string =>
  formats.map((format) => `<md:NameIDFormat>${escapeXml(format)}</md:NameIDFormat>`).join('')
