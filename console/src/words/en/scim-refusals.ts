/** What a directory was refused for, and what to do about it: by the names of RFC 7644 (3.12, table 9). */
const byName: Record<string, string> = {
  invalidFilter:
    'It searched in a way that is not understood. Look at the attribute by which it matches people or groups.',
  tooMany: 'It sent more than one request may do. Let it send less at once.',
  uniqueness:
    'Somebody else has this value already. Look for two people or groups with the same name, address or external id.',
  mutability:
    'It wanted to change what it may not. Leave the attribute out; the address of somebody who belongs to another team as well is theirs.',
  invalidSyntax: 'What it sent is no SCIM 2.0. Check that version 2.0 is chosen there.',
  invalidPath: 'It named an attribute that does not exist here. Take it out of the mapping.',
  noTarget: 'It changed a value that is not there. Most directories send everything anew after that.',
  invalidValue:
    'A value does not fit: it is missing, too long, of the wrong kind, or no email address. Look at the mapping.',
  invalidVers: 'It speaks another version of SCIM. Only 2.0 is served.',
  sensitive: 'It asked by an address for what may only be asked for in a body.',
}

/** Where RFC 7644 has no name. */
const byStatus: Record<number, string> = {
  401: 'The token ended while the request was on its way.',
  403: 'The token may not do this: nobody who may do more than its maker is changed by it.',
  404: 'There is no such person or group in this team. Directories ask so for what was removed; most make it anew.',
  409: 'The team cannot take this: it is full, or would lose its last administrator.',
  413: 'It sent more than a request may hold. Let it send less at once.',
  415: 'It sent another format than JSON in UTF-8.',
  429: 'It sent too much in a short time. It tries again by itself.',
  501: 'It asked for something that is not served. Most directories go on without it.',
  503: 'The service was busy or starting. The directory tries again by itself.',
}

const failed = 'Something went wrong on our side. The directory tries again; if it stays, tell your administrator.'
const unknown = 'The request was refused.'

/** A request that came to nothing. */
interface Refusal {
  status: number
  scimType: string | null
}

/** What it was refused for, in words; undefined for a request that was granted. */
export function refusalOf({ status, scimType }: Refusal): string | undefined {
  if (status < 400) return undefined
  if (scimType !== null && Object.hasOwn(byName, scimType)) return byName[scimType]
  return byStatus[status] ?? (status >= 500 ? failed : unknown)
}
