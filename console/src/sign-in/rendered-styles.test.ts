import { describe, expect, it } from 'vitest'
import { moveStyles } from './rendered-styles'

describe('moveStyles', () => {
  it('leaves attributes whose value ends like a style attribute begins', () => {
    const html = '<form aria-label="x style=" title="y"></form>'
    expect(moveStyles(html, 'n')).toContain(html)
  })

  it('moves each different style attribute to one rule of an element with the nonce', () => {
    const html = '<p style="--a:1">x</p><p style="--a:1">y</p><p style="font:&quot;A&quot;">z</p>'
    expect(moveStyles(html, 'n')).toBe(
      '<style id="rendered-styles" nonce="n">#root [data-style="0"]{--a:1}#root [data-style="1"]{font:"A"}</style>' +
        '<div id="root"><p data-style="0">x</p><p data-style="0">y</p><p data-style="1">z</p></div>',
    )
  })

  it('keeps text that looks like an attribute, in which React escapes quotation marks', () => {
    expect(moveStyles('<p> style=&quot;color:red&quot;</p>', 'n')).toContain('<p> style=&quot;color:red&quot;</p>')
  })

  it.each(['--a:1}body{--b:2', '--a:&lt;/style&gt;'])('rejects a declaration that could end its rule: %s', (style) => {
    expect(() => moveStyles(`<p style="${style}">x</p>`, 'n')).toThrow('Unexpected character')
  })
})
