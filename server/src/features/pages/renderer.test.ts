import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BootData } from './boot-data.js'
import { createRenderer } from './renderer.js'

const folder = mkdtempSync(join(tmpdir(), 'keyward-renderer-'))
afterAll(() => rmSync(folder, { recursive: true }))

const boot = { hasSession: false, instance: { name: 'Acme' } } as BootData

function bundle(name: string, body: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, `let count = 0\nexport function renderPage({ href, boot, nonce }) { ${body} }`)
  return file
}

describe('createRenderer', () => {
  it('inserts the nonce of each response in a stored page', async () => {
    const render = createRenderer(bundle('counting', "return [++count, href, boot.instance.name, nonce].join(' ')"))
    const html = async (href: string) => (await render(href, boot))?.('n1')
    expect(await html('/login')).toBe('1 /login Acme n1')
    expect((await render('/login', boot))?.('n2')).toBe('1 /login Acme n2')
    expect(await html('/login?uid=1')).toBe('2 /login?uid=1 Acme n1')
    expect(await html('/login?uid=1')).toBe('3 /login?uid=1 Acme n1')
    expect((await render('/login', { ...boot, onboarded: true }))?.('n3')).toBe('4 /login Acme n3')
  })

  it('leaves browsers with a session, requests with a login hint and other pages to the browser', async () => {
    const render = createRenderer(bundle('some', "return href === '/login' ? 'x' : undefined"))
    expect(await render('/login', { ...boot, hasSession: true })).toBeUndefined()
    expect(await render('/login', { ...boot, loginHint: 'a@example.com' })).toBeUndefined()
    expect(await render('/mfa', boot)).toBeUndefined()
    expect(await render('/login', boot)).toBeDefined()
  })

  it('leaves pages with a query to the browser under load, and still serves stored ones', async () => {
    const render = createRenderer(bundle('busy', "return 'x'"))
    await render('/login', boot)
    const rendered = await Promise.all(Array.from({ length: 100 }, (_, index) => render(`/login?uid=${index}`, boot)))
    // A second may begin in between.
    expect(rendered.filter((page) => page !== undefined).length).toBeLessThanOrEqual(40)
    expect(rendered.at(-1)).toBeUndefined()
    expect(await render('/login', boot)).toBeDefined()
  })

  it('renders nothing without a bundle, and rejects if the bundle throws', async () => {
    expect(await createRenderer(join(folder, 'missing.mjs'))('/login', boot)).toBeUndefined()
    await expect(createRenderer(bundle('broken', "throw new Error('broken')"))('/login', boot)).rejects.toThrow(
      'broken',
    )
  })
})
