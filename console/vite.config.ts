import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `npm start` of the server listens while the pages are developed. */
const service = process.env.KEYWARD_SERVICE ?? 'http://localhost:3000'

/** The server replaces this text by a fresh nonce in each answer; in development it is itself the nonce. */
const nonce = '__CSP_NONCE__'

/** Same rules as the server's pages room, plus what the development client of Vite cannot do without: its socket. */
const developmentPolicy = [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self' ws://localhost:5173",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** In production the server writes the boot data into the page; in development this asks the running service for it. */
function bootData(): Plugin {
  return {
    name: 'keyward-boot-data',
    apply: 'serve',
    async transformIndexHtml(html) {
      const answer = await fetch(`${service}/api/v1/public/bootstrap`).catch(() => null)
      if (!answer?.ok) throw new Error(`No boot data: start the service at ${service} first (npm start).`)
      return html.replace('__BOOT__', (await answer.text()).replaceAll('<', '\\u003c'))
    },
  }
}

/**
 * Vite gives a nonce to every script, also to the block of boot data, which is never run. The server looks for that block as
 * it stands in index.html.
 */
function plainBootBlock(): Plugin {
  return {
    name: 'keyward-plain-boot-block',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') return
      page.source = String(page.source).replace(/(<script [^>]*id="boot")[^>]*>/, '$1>')
    },
  }
}

/** The service compares Origin with its own address, so a proxied call must name that address. */
const proxied = { target: service, changeOrigin: true, headers: { origin: service } }

export default defineConfig({
  plugins: [react(), bootData(), plainBootBlock()],
  html: { cspNonce: nonce },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The sign-in pages are small and follow each other: one file, with what they all need, instead of thirty.
        codeSplitting: { groups: [{ name: 'sign-in', test: /\/src\/features\/accounts\// }] },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    headers: { 'Content-Security-Policy': developmentPolicy, 'Referrer-Policy': 'no-referrer' },
    proxy: {
      '/api': proxied,
      '/scim': proxied,
      '/livez': proxied,
      '/readyz': proxied,
      '/openapi.json': proxied,
      '/docs': proxied,
    },
  },
})
