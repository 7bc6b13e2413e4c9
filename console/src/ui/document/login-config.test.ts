import { afterEach, describe, expect, it } from 'vitest'
import type { Boot } from '../../api/contract'
import { boot, setBoot } from '../../boot'
import { customLink, customText, supportEmail } from './login-config'

const before = boot
const configure = (customLoginConfig: Record<string, unknown> | null) =>
  setBoot({ instance: { customLoginConfig } } as unknown as Boot)

describe('customLoginConfig', () => {
  afterEach(() => setBoot(before))

  it('returns texts and links', () => {
    configure({ headline: 'Hello', helpUrl: 'https://help.example/a?b', supportEmail: 'it-help@example.com' })
    expect(customText('headline')).toBe('Hello')
    expect(customLink('helpUrl')).toBe('https://help.example/a?b')
    expect(supportEmail()).toBe('it-help@example.com')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', '', 1, null])(
    'ignores the link %j',
    (helpUrl) => {
      configure({ helpUrl })
      expect(customLink('helpUrl')).toBeUndefined()
    },
  )

  it.each(['nobody', 'a@b?subject=x', 'a@b, c@d', 'a@b&cc=c@d'])('ignores the email address %j', (email) => {
    configure({ supportEmail: email })
    expect(supportEmail()).toBeUndefined()
  })

  it('returns nothing without a configuration', () => {
    configure(null)
    expect(customText('subtitle')).toBeUndefined()
    expect(customLink('termsUrl')).toBeUndefined()
  })
})
