import { describe, expect, it } from 'vitest'
import { failuresCsv } from './failures-csv'

const rejected = (dn: string | null, email: string | null, message = 'because') => ({
  dn,
  email,
  code: 'unknown_code',
  message,
})

describe('failuresCsv', () => {
  it('has a line for each entry, with line ends of RFC 4180', () => {
    expect(failuresCsv([rejected('cn=a', 'a@example.com'), rejected(null, null)])).toBe(
      'dn,email,code,reason\r\ncn=a,a@example.com,unknown_code,because\r\n,,unknown_code,because\r\n',
    )
  })

  it('quotes separators and line breaks', () => {
    expect(failuresCsv([rejected('cn=a,dc="x"', null, 'one\nanother')])).toContain(
      '"cn=a,dc=""x""",,unknown_code,"one\nanother"\r\n',
    )
  })

  it('escapes formulas, also with full-width characters', () => {
    for (const begin of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
      const [, line = ''] = failuresCsv([rejected('cn=a', `${begin}HYPERLINK(1)`)]).split('dn,email,code,reason\r\n')
      expect(line.replaceAll('"', ''), begin).toContain(`cn=a,'${begin}HYPERLINK`)
    }
  })

  it('contains the message for a known code', () => {
    expect(failuresCsv([{ ...rejected('cn=a', null), code: 'no_address' }])).toContain(
      'The entry has no email address.',
    )
  })
})
