import { deflateRawSync } from 'node:zlib'
import { assertionOf, responseXml, signXml, USER, VICTIM } from '../../peers/saml-peer.js'
import { forged, type Hostile, replaced, right } from './attack.js'

/** Malformed XML, and documents that are not responses. */
export const DOCUMENTS: Hostile[] = [
  ['invalid base64', 'readable', () => Buffer.from('%%%')],
  ['nothing', 'readable', () => Buffer.from('')],
  ['a deflate bomb', 'readable', () => Buffer.from(deflateRawSync(Buffer.alloc(8_000_000, 0x20)).toString('base64'))],
  [
    'XML of more than 256 kB',
    'readable',
    () =>
      Buffer.from(
        Buffer.from(replaced(right(), '</saml:Issuer>', `${' '.repeat(270_000)}</saml:Issuer>`)).toString('base64'),
      ),
  ],
  ['UTF-16', 'readable', () => Buffer.from(Buffer.from(`\ufeff${right()}`, 'utf16le').toString('base64'))],
  ['UTF-16 without a mark', 'well_formed', () => Buffer.from(Buffer.from(right(), 'utf16le').toString('base64'))],
  ['another encoding by its declaration', 'well_formed', () => `<?xml version="1.0" encoding="UTF-7"?>${right()}`],
  ['a DOCTYPE', 'well_formed', () => `<!DOCTYPE x>${right()}`],
  [
    'an entity for the name',
    'well_formed',
    () => `<!DOCTYPE x [<!ENTITY e "${VICTIM}">]>${replaced(right(), `>${USER}<`, '>&e;<')}`,
  ],
  [
    'an external entity',
    'well_formed',
    () => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${replaced(right(), `>${USER}<`, '>&e;<')}`,
  ],
  [
    'an entity bomb',
    'well_formed',
    () =>
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>${replaced(right(), `>${USER}<`, '>&c;<')}`,
  ],
  ['an undeclared entity', 'well_formed', () => replaced(right(), `>${USER}<`, '>&e;<')],
  [
    'a depth bomb',
    'well_formed',
    () => replaced(right(), '<samlp:Status>', `${'<x>'.repeat(20_000)}${'</x>'.repeat(20_000)}<samlp:Status>`),
  ],
  ['65 nested elements', 'well_formed', () => `${'<x>'.repeat(65)}${'</x>'.repeat(65)}`],
  [
    'more than 3,000 elements',
    'well_formed',
    () => replaced(right(), '<samlp:Status>', `${'<x/>'.repeat(3_001)}<samlp:Status>`),
  ],
  [
    'more than 3,000 comments',
    'well_formed',
    () => replaced(right(), '<samlp:Status>', `${'<!---->'.repeat(3_001)}<samlp:Status>`),
  ],
  [
    'more than 8,000 attributes in all',
    'well_formed',
    () =>
      replaced(
        right(),
        '<samlp:Status>',
        `${`<x${Array.from({ length: 500 }, (_, n) => ` a${n}=""`).join('')}/>`.repeat(17)}<samlp:Status>`,
      ),
  ],
  [
    'more than 500 attributes',
    'well_formed',
    () =>
      replaced(
        right(),
        '<samlp:Status>',
        `<x${Array.from({ length: 501 }, (_, n) => ` a${n}=""`).join('')}/><samlp:Status>`,
      ),
  ],
  ['a processing instruction', 'well_formed', () => replaced(right(), `>${USER}<`, `>${VICTIM}<?x y?><`)],
  ['two roots', 'well_formed', () => right() + forged(responseXml())],
  ['text after the root', 'well_formed', () => `${right()}x`],
  ['NUL', 'well_formed', () => replaced(right(), `>${USER}<`, `>${VICTIM}\0<`)],
  ['NUL as a reference', 'well_formed', () => replaced(right(), `>${USER}<`, `>${VICTIM}&#0;<`)],
  ['an unpaired surrogate as a reference', 'well_formed', () => replaced(right(), `>${USER}<`, `>${VICTIM}&#xd800;<`)],
  ['a repeated attribute', 'well_formed', () => replaced(right(), 'ID="_assertion-1"', 'ID="_evil" ID="_assertion-1"')],
  [
    'a repeated attribute with two prefixes',
    'well_formed',
    () => replaced(right(), '<samlp:Status>', '<samlp:Status xmlns:a="urn:x" xmlns:b="urn:x" a:y="1" b:y="2">'),
  ],
  ['a prefix without a namespace', 'well_formed', () => replaced(right(), '<samlp:Status>', '<evil:x/><samlp:Status>')],
  [
    'the prefix xml for another namespace',
    'well_formed',
    () => replaced(right(), '<samlp:Status>', '<samlp:Status xmlns:xml="urn:x">'),
  ],
  ['tags that do not match', 'well_formed', () => replaced(right(), '</samlp:Status>', '</samlp:Stat>')],
  ['an attribute without quotes', 'well_formed', () => replaced(right(), 'Version="2.0"', 'Version=2.0')],
  ['an assertion without a response', 'message', () => assertionOf(right())],
  ['a response of SAML 1.1', 'message', () => right({ version: '1.1' })],
  [
    'a response in another namespace',
    'message',
    () => replaced(right(), 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"', 'xmlns:samlp="urn:x"'),
  ],
  [
    'an assertion in another namespace',
    'assertion',
    () => replaced(right(), /xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a/, 'xmlns:saml="urn:x" ID="_a'),
  ],
  [
    'a response without an assertion',
    'assertion',
    () => {
      const xml = responseXml()
      return signXml(replaced(xml, assertionOf(xml), ''), 'Response')
    },
  ],
]
