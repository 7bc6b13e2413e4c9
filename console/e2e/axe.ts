import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'
import { devtoolsOf } from './devtools'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/**
 * Returns the violations of WCAG 2.2 A and AA; inside the topmost open dialog only, because the page behind it is inert. Runs through the debugger,
 * which the content security policy does not restrict.
 */
export async function violations(page: Page) {
  const debug = await devtoolsOf(page)
  await loadAxe(debug)
  const { result } = await debug.send('Runtime.evaluate', {
    expression: `axe.run([...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? document, ${JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })}).then((found) =>
      JSON.stringify(found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  return JSON.parse(result.value as string) as string[]
}

/** Once per document: half a megabyte to send and compile. */
async function loadAxe(debug: CDPSession) {
  const { result } = await debug.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (result.value === 'undefined') await debug.send('Runtime.evaluate', { expression: axe })
}
