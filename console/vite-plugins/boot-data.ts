import type { Plugin } from 'vite'

/**
 * In production the server writes the boot data into the page; in development this asks the running service for it.
 * @param service where the service listens
 */
export function bootData(service: string): Plugin {
  return {
    name: 'keyward-boot-data',
    apply: 'serve',
    async transformIndexHtml(html, { originalUrl = '/' }) {
      // The query of a sign-in page may name the application that asks for it.
      const { search } = new URL(originalUrl, service)
      const answer = await fetch(`${service}/api/v1/public/bootstrap${search}`).catch(() => null)
      if (!answer?.ok) throw new Error(`No boot data: start the service at ${service} first (npm start).`)
      return html.replace('__BOOT__', (await answer.text()).replaceAll('<', '\\u003c'))
    },
  }
}

/**
 * Vite adds a nonce to every script, also to the boot data, which is never run. The server searches for the block as it is in the source.
 */
export function plainBootBlock(): Plugin {
  return {
    name: 'keyward-plain-boot-block',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const [name, page] of Object.entries(bundle))
        if (name.endsWith('.html') && page.type === 'asset')
          page.source = String(page.source).replace(/(<script [^>]*id="boot")[^>]*>/, '$1>')
    },
  }
}
