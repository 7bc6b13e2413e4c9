import { describe, expect, it } from 'vitest'
import { failuresCsv } from './failures-csv'

const refused = (dn: string | null, email: string | null, message = 'because') => ({
  dn,
  email,
  code: 'of_later',
  message,
})

describe('the file of refused entries', () => {
  it('has a line for each, ended as RFC 4180 says', () => {
    expect(failuresCsv([refused('cn=a', 'a@example.com'), refused(null, null)])).toBe(
      'dn,email,code,reason\r\ncn=a,a@example.com,of_later,because\r\n,,of_later,because\r\n',
    )
  })

  it('quotes what would break a line into more cells', () => {
    expect(failuresCsv([refused('cn=a,dc="x"', null, 'one\nanother')])).toContain(
      '"cn=a,dc=""x""",,of_later,"one\nanother"\r\n',
    )
  })

  it('gives a spreadsheet nothing to execute, in the width of either alphabet', () => {
    for (const begin of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
      const [, line = ''] = failuresCsv([refused('cn=a', `${begin}HYPERLINK(1)`)]).split('dn,email,code,reason\r\n')
      expect(line.replaceAll('"', ''), begin).toContain(`cn=a,'${begin}HYPERLINK`)
    }
  })

  it('says why in words where they are known', () => {
    expect(failuresCsv([{ ...refused('cn=a', null), code: 'no_address' }])).toContain('It has no email address.')
  })
})
